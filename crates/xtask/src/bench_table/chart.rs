//! The chart of the page on speed: ML-DSA-65, three panels of bars.

use std::fmt::Write;

use anyhow::{Context, Result};

use super::run::Run;
use super::table::{label, time};

const LEVEL: &str = "ML-DSA-65";
/// The title of a panel, and the operation with the key in bytes and, if it exists, with a prepared key.
type Panel = (
    &'static str,
    (&'static str, &'static str),
    Option<(&'static str, &'static str)>,
);
const PANELS: [Panel; 3] = [
    ("Key generation", ("keygen", "seed"), None),
    ("Sign", ("sign", "encoded"), Some(("sign", "prepared"))),
    (
        "Verify",
        ("verify", "encoded"),
        Some(("verify", "prepared")),
    ),
];

// Lengths in pixels. The longest bar of a panel leaves room for its number.
const LABELS: f64 = 190.0;
const PANEL: f64 = 220.0;
const LONGEST: f64 = 160.0;
const TOP: f64 = 76.0;
const ROW: f64 = 24.0;
const BAR: f64 = 11.0;
const THIN: f64 = 4.0;

/// The colours, which follow the light or dark scheme of the reader's system.
const STYLE: &str = "\
text { font: 12px system-ui, -apple-system, 'Segoe UI', sans-serif; fill: #1f2328 }
.title { font-size: 15px; font-weight: 600 }
.panel { font-weight: 600 }
.note, .other-label { fill: #59636e }
.ground { fill: #ffffff; stroke: #d1d9e0 }
.ours { fill: #0a7f6f }
.others { fill: #9aa4af }
.thin { opacity: 0.55 }
@media (prefers-color-scheme: dark) {
  text { fill: #f0f6fc }
  .note, .other-label { fill: #9198a1 }
  .ground { fill: #0d1117; stroke: #3d444d }
  .ours { fill: #2bb8a3 }
  .others { fill: #656c76 }
}
";

/// Returns the text of the file.
pub(crate) fn svg(run: &Run) -> Result<String> {
    let peers = run.peers(LEVEL);
    let width = LABELS + PANELS.len() as f64 * PANEL + 20.0;
    let height = TOP + ROW * peers.len() as f64 + 16.0;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" \
         height=\"{height}\" role=\"img\" aria-label=\"{LEVEL}: microseconds of each implementation\">\n\
         <style>\n{STYLE}</style>\n\
         <rect class=\"ground\" x=\"0.5\" y=\"0.5\" width=\"{}\" height=\"{}\" rx=\"6\"/>\n",
        width - 1.0,
        height - 1.0
    );
    text(
        &mut svg,
        "title",
        (16.0, 26.0),
        &format!("{LEVEL}, microseconds: shorter is faster"),
    )?;
    text(
        &mut svg,
        "note",
        (16.0, 44.0),
        "thick bar: the key in bytes; thin bar: a prepared key; ~: random keys or signatures",
    )?;
    for (index, panel) in PANELS.iter().enumerate() {
        let left = LABELS + index as f64 * PANEL;
        text(&mut svg, "panel", (left, TOP - 10.0), panel.0)?;
        bars(&mut svg, run, &peers, panel, left)?;
    }
    for (index, peer) in peers.iter().enumerate() {
        let class = if run.is_ours(peer) {
            "panel"
        } else {
            "other-label"
        };
        text(
            &mut svg,
            class,
            (16.0, TOP + ROW * index as f64 + BAR),
            &label(peer),
        )?;
    }
    svg.push_str("</svg>\n");
    Ok(svg)
}

fn bars(svg: &mut String, run: &Run, peers: &[&str], panel: &Panel, left: f64) -> Result<()> {
    let (_, encoded, prepared) = *panel;
    let row = |peer: &str, op| run.row(peer, LEVEL, op);
    let times = peers
        .iter()
        .filter_map(|peer| Some(row(peer, encoded)?.typical));
    let longest = times.max_by(f64::total_cmp).context("an empty panel")?;
    for (index, peer) in peers.iter().enumerate() {
        let top = TOP + ROW * index as f64;
        let Some(main) = row(peer, encoded) else {
            continue;
        };
        let class = if run.is_ours(peer) { "ours" } else { "others" };
        let length = main.typical / longest * LONGEST;
        bar(svg, class, (left, top), (length, BAR))?;
        text(
            svg,
            "",
            (left + length + 5.0, top + BAR - 1.0),
            &time(main.typical, main.random),
        )?;
        if let Some(row) = prepared.and_then(|op| row(peer, op)) {
            let length = row.typical / longest * LONGEST;
            bar(
                svg,
                &format!("{class} thin"),
                (left, top + BAR + 1.0),
                (length, THIN),
            )?;
        }
    }
    Ok(())
}

fn bar(
    svg: &mut String,
    class: &str,
    (x, y): (f64, f64),
    (width, height): (f64, f64),
) -> Result<()> {
    Ok(writeln!(
        svg,
        "<rect class=\"{class}\" x=\"{x}\" y=\"{y}\" width=\"{width:.1}\" height=\"{height}\"/>"
    )?)
}

/// Escaping is not needed, because the texts contain no special characters.
fn text(svg: &mut String, class: &str, (x, y): (f64, f64), text: &str) -> Result<()> {
    Ok(writeln!(
        svg,
        "<text class=\"{class}\" x=\"{x:.1}\" y=\"{y}\">{text}</text>"
    )?)
}
