//! Functions in the compiler's assembly, for x86-64, AArch64 and Thumb.

use std::collections::HashSet;

use rustc_demangle::demangle;

/// The operations of one function that cost time.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Function {
    pub(super) name: String,
    /// The functions that it calls or jumps to, once for each call.
    pub(super) calls: Vec<String>,
    /// The functions whose addresses it loads, to call them through a register.
    pub(super) loaded: Vec<String>,
    /// Stores to the stack, other than pushes.
    pub(super) stores: usize,
}

/// Whether a function should be inlined: an intrinsic, a method of a register, or a part of a kernel.
pub(super) fn should_be_inline(name: &str) -> bool {
    const PLACES: [&str; 4] = [
        "core_arch::",
        "moissanite_core::kernels::",
        "moissanite_keccak::permutation::",
        "moissanite_keccak::lane::",
    ];
    const TRAITS: [&str; 3] = [
        "moissanite_core::simd::Simd",
        "moissanite_core::simd::Kernel",
        "moissanite_keccak::lane::Simd64",
    ];
    // Names within angle brackets are parameters and do not say where the function is.
    let place = name.split('<').next().unwrap_or_default();
    // The compiler writes either form for an implementation, which depends on the module that it is in.
    let implements =
        |of| name.contains(&format!(" as {of}>::")) || name.contains(&format!("<impl {of} for "));
    PLACES.iter().any(|at| place.contains(at)) || TRAITS.iter().any(implements)
}

/// Whether a symbol is a function and not a static, which has no parameters and a name in upper case.
fn is_function(name: &str) -> bool {
    let last = name.rsplit("::").next().unwrap_or_default();
    name.ends_with('>') || !last.starts_with(char::is_uppercase)
}

/// The functions that an assembly file defines.
pub(super) fn functions(assembly: &str) -> Vec<Function> {
    let function = |(symbol, lines): (&str, Vec<&str>)| {
        let mut function = Function {
            name: readable(symbol),
            ..Function::default()
        };
        for (mnemonic, operands) in lines.into_iter().filter_map(instruction) {
            match called(mnemonic, operands) {
                Some(call) => function.calls.push(call),
                None => function
                    .loaded
                    .extend(mangled(operands).filter(|name| is_function(name))),
            }
            function.stores += usize::from(stores_to_stack(mnemonic, operands));
        }
        function
    };
    bodies(assembly).into_iter().map(function).collect()
}

/// The innermost loops of each function, without labels, and the functions' names.
pub(super) fn loops(assembly: &str) -> Vec<(String, Vec<Vec<&str>>)> {
    let bodies = bodies(assembly).into_iter();
    bodies
        .map(|(symbol, lines)| (readable(symbol), innermost(&lines)))
        .collect()
}

/// The lines from a label to the last jump back to it, if no other such pair is within them.
fn innermost<'a>(lines: &[&'a str]) -> Vec<Vec<&'a str>> {
    let begin = |label: &str| {
        let is = |line: &&str| line.strip_suffix(':') == Some(label);
        lines.iter().position(is)
    };
    let back = |(end, line): (usize, &&str)| {
        let (_, operands) = instruction(line)?;
        let begin = begin(operands.rsplit([',', ' ']).next()?)?;
        (begin < end).then_some((begin, end))
    };
    let pairs: Vec<_> = lines.iter().enumerate().filter_map(back).collect();
    let within = |a: (usize, usize), b: (usize, usize)| b != a && a.0 <= b.0 && b.1 <= a.1;
    let innermost = pairs
        .iter()
        .filter(|a| !pairs.iter().any(|b| within(**a, *b)));
    let body = |&(begin, end): &(usize, usize)| {
        let lines = lines.get(begin..=end).unwrap_or_default();
        let instructions = lines.iter().filter(|line| instruction(line).is_some());
        instructions.map(|line| line.trim()).collect()
    };
    innermost.map(body).collect()
}

/// The lines of an assembly file between a function's label and its end.
fn bodies(assembly: &str) -> Vec<(&str, Vec<&str>)> {
    let symbols: HashSet<_> = assembly.lines().filter_map(declared).collect();
    let mut bodies: Vec<(&str, Vec<&str>)> = Vec::new();
    let mut inside = false;
    for line in assembly.lines() {
        match line.strip_suffix(':') {
            Some(label) if symbols.contains(label) => {
                inside = true;
                bodies.push((label, Vec::new()));
            }
            Some(label) if label.starts_with(".Lfunc_end") => inside = false,
            _ => {
                if let (true, Some((_, lines))) = (inside, bodies.last_mut()) {
                    lines.push(line);
                }
            }
        }
    }
    bodies
}

/// The mnemonic and the operands of a line that is not a label, a directive or a comment.
fn instruction(line: &str) -> Option<(&str, &str)> {
    let line = line.trim();
    let nothing = line.is_empty() || line.ends_with(':') || line.starts_with(['.', '/', '#', '@']);
    (!nothing).then(|| line.split_once(['\t', ' ']).unwrap_or((line, "")))
}

/// `.type symbol,@function`, or `%function` where `@` begins a comment.
fn declared(line: &str) -> Option<&str> {
    let (symbol, kind) = line.trim().strip_prefix(".type")?.trim().split_once(',')?;
    kind.ends_with("function").then_some(symbol)
}

/// The target of a call, or of a jump out of the function.
fn called(mnemonic: &str, operands: &str) -> Option<String> {
    let target = operands.split(['@', '(']).next()?.trim();
    let symbol = target.trim_start_matches('*');
    let known = symbol.starts_with(|first: char| first == '_' || first.is_ascii_alphabetic());
    match mnemonic {
        "call" | "callq" | "bl" | "blx" | "blr" => Some(readable(symbol)),
        // Labels begin with a dot. Registers, which hold an address from a table, begin with a percent sign.
        "jmp" | "jmpq" | "b" | "b.w" if known => Some(readable(symbol)),
        _ => None,
    }
}

/// The mangled names of Rust in the operands.
fn mangled(operands: &str) -> impl Iterator<Item = String> {
    let is_part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '$');
    let words = operands.split(move |c| !is_part(c));
    let mangled = words.filter(|word| word.starts_with("_ZN") || word.starts_with("_R"));
    mangled.map(readable)
}

fn stores_to_stack(mnemonic: &str, operands: &str) -> bool {
    let x86 = operands.rsplit_once('(').is_some_and(|(_, last)| {
        let to = last.strip_suffix(')').unwrap_or_default();
        to.starts_with("%rsp") && !mnemonic.starts_with("cmp") && !mnemonic.starts_with("test")
    }) && !is_jump(mnemonic);
    let arm = mnemonic.starts_with("st") || mnemonic.starts_with("vst");
    x86 || (arm && operands.contains("[sp"))
}

fn is_jump(mnemonic: &str) -> bool {
    mnemonic.starts_with('j') || mnemonic.starts_with("call") || mnemonic.starts_with("push")
}

/// A symbol's name in Rust, without hashes.
fn readable(symbol: &str) -> String {
    format!("{:#}", demangle(symbol))
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test may panic")]
mod tests {
    use super::*;

    /// The assembly of `fn shim`: a call through a table, one by name, a spill, a reload, a
    /// comparison, a jump within it, one that leaves it, and another function.
    const X86: &str = "
	.type	shim,@function
shim:
	.cfi_startproc
	pushq	%rbp
	movq	_ZN9core_arch3x864avx216_mm256_sub_epi3217h0123456789abcdefE@GOTPCREL(%rip), %r14
	callq	*memset@GOTPCREL(%rip)
	callq	_ZN9core_arch3x864avx216_mm256_add_epi3217h0123456789abcdefE
	vmovdqu	%ymm1, 32(%rsp)
	vmovdqu	32(%rsp), %ymm1
	vmovdqa	%ymm1, (%rsp,%rax,4)
	cmpl	$1, 8(%rsp)
	vmovdqu	%ymm1, 32(%rdi)
	jne	.LBB0_2
	jmpq	*%rcx
.LBB0_2:
	jmp	next@PLT
.Lfunc_end0:
	.size	shim, .Lfunc_end0-shim
	vmovdqu	%ymm1, 32(%rsp)
table:
	.type	next,@function
next:
	retq
.Lfunc_end1:
";

    #[test]
    fn x86_64() {
        let functions = functions(X86);
        assert_eq!(functions.len(), 2);
        assert_eq!(functions[0].name, "shim");
        let calls = ["memset", "core_arch::x86::avx2::_mm256_add_epi32", "next"];
        assert_eq!(functions[0].calls, calls);
        assert_eq!(
            functions[0].loaded,
            ["core_arch::x86::avx2::_mm256_sub_epi32"]
        );
        assert_eq!(functions[0].stores, 2);
        let rest = Function {
            name: "next".to_owned(),
            ..Function::default()
        };
        assert_eq!(functions[1], rest);
    }

    #[test]
    fn arm() {
        let aarch64 = "\t.type\tf,@function\nf:\n\tstp\tx29, x30, [sp, #-16]!\n\tldr\tq0, [sp]\n\
            \tstr\tq0, [x0]\n\tbl\tmemcpy\n\tblr\tx8\n\tb.ne\t.LBB0_1\n\tb\tg\n.Lfunc_end0:\n";
        let thumb = "\t.type\tf,%function\nf:\n\tpush\t{r4, lr}\n\tvstr\td0, [sp, #8]\n\tstrd\tr0, r1, [sp]\n\
            \tbl\tmemcpy\n\tb\t.LBB0_1\n.Lfunc_end0:\n";
        let (aarch64, thumb) = (&functions(aarch64)[0], &functions(thumb)[0]);
        assert_eq!(
            (&aarch64.calls[..], aarch64.stores),
            (&["memcpy", "x8", "g"].map(String::from)[..], 1)
        );
        assert_eq!(
            (&thumb.calls[..], thumb.stores),
            (&["memcpy".to_owned()][..], 2)
        );
    }

    #[test]
    fn innermost_loops() {
        let assembly = "\t.type\tf,@function\nf:\n\tmov\tx0, x1\n.LBB0_1:\n\tadd\tx0, x0, #1\n\
            .LBB0_2:\n\tsub\tx2, x2, #1\n\t// comment\n\tcbz\tx2, .LBB0_3\n\tb\t.LBB0_2\n.LBB0_3:\n\
            \tb.ne\t.LBB0_1\n\tret\n.Lfunc_end0:\n";
        let found = loops(assembly);
        assert_eq!(found.len(), 1);
        let body = ["sub\tx2, x2, #1", "cbz\tx2, .LBB0_3", "b\t.LBB0_2"];
        assert_eq!(found[0], ("f".to_owned(), vec![body.to_vec()]));
    }

    #[test]
    fn statics_are_not_functions() {
        assert!(is_function(
            "moissanite_core::kernels::ntt::butterfly::<F, moissanite_cpu::x86_64::Avx2>"
        ));
        assert!(is_function("moissanite_core::kernels::ntt::tail"));
        assert!(!is_function("moissanite_core::kernels::ntt::ZETAS"));
    }

    #[test]
    fn what_should_be_inline() {
        for name in [
            "core_arch::x86::avx2::_mm256_add_epi32",
            "core::core_arch::arm_shared::neon::generated::vaddq_s32",
            "moissanite_core::kernels::ntt::butterfly::<F, moissanite_cpu::x86_64::Avx2, true>",
            "<moissanite_core::kernels::ntt::Ntt<F> as moissanite_core::simd::Kernel>::run::<S>",
            "<moissanite_cpu::x86_64::Avx2 as moissanite_core::simd::Simd>::transpose",
            "moissanite_core::backend::avx2::<impl moissanite_core::simd::Simd for moissanite_cpu::x86_64::Avx2>::transpose",
            "<moissanite_cpu::x86_64::Avx2 as moissanite_keccak::lane::Simd64>::chi",
            "moissanite_keccak::permutation::round::<moissanite_cpu::Portable>",
        ] {
            assert!(should_be_inline(name), "{name}");
        }
        for name in [
            "<Avx2 as moissanite_core::backend::Backend>::run::shim::<moissanite_core::kernels::ntt::Ntt<F>>",
            "moissanite_keccak::backend::avx2::permute_avx2",
            "moissanite_core::sign::sign_mu::<P, B>",
        ] {
            assert!(!should_be_inline(name), "{name}");
        }
    }
}
