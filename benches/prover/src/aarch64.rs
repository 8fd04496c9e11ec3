use crate::image::Image;
use crate::machine::*;
use crate::memory::Memory;
use crate::terms::Term;
use anyhow::{Result, bail};
pub(crate) struct Aarch64<'a>(Memory<'a>);
impl<'a> Processor<'a> for Aarch64<'a> {
    fn start(_: &'a Image, _: Memory<'a>, _: &[Term]) -> Result<Self> {
        bail!("no")
    }
    fn step(&mut self, _: u64, _: &mut Trace) -> Result<u64> {
        bail!("no")
    }
    fn external(&mut self, _: &str) -> Result<u64> {
        bail!("no")
    }
    fn finish(self) -> Result<(Memory<'a>, Term)> {
        bail!("no")
    }
    fn text(_: &Image, _: u64) -> String {
        String::new()
    }
    fn length(_: &Image, _: u64) -> Result<u64> {
        Ok(4)
    }
}
