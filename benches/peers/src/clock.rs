//! A stopwatch for a shared machine.
//!
//! If the thread's count of involuntary context switches has changed, the kernel has interrupted the
//! thread, and the wall-clock time includes other work. Interruptions by a hypervisor cannot be detected.

/// Returns the time of a call in ns. An interrupted call is repeated if it is `repeatable`, that is, if it
/// does the same work again. For a randomised call, the CPU time of the thread is returned instead:
/// repeating would discard long calls more often than short ones.
pub fn undisturbed(repeatable: bool, call: &mut dyn FnMut()) -> f64 {
    let mut tries = if repeatable { 4 } else { 1 };
    loop {
        let (switches, cpu) = (switches(), cpu_time());
        let wall = moissanite_benches::wall(call);
        let cpu = cpu_time() - cpu;
        if switches == self::switches() {
            return wall;
        }
        tries -= 1;
        if tries == 0 {
            return wall.min(cpu);
        }
    }
}

#[cfg(target_os = "linux")]
fn switches() -> i64 {
    use nix::sys::resource::{UsageWho, getrusage};
    getrusage(UsageWho::RUSAGE_THREAD).map_or(0, |usage| usage.involuntary_context_switches())
}

#[cfg(target_os = "linux")]
fn cpu_time() -> f64 {
    use nix::time::{ClockId, clock_gettime};
    let time = clock_gettime(ClockId::CLOCK_THREAD_CPUTIME_ID);
    time.map_or(0.0, |time| {
        time.tv_sec() as f64 * 1e9 + time.tv_nsec() as f64
    })
}

#[cfg(not(target_os = "linux"))]
fn switches() -> i64 {
    0
}

#[cfg(not(target_os = "linux"))]
fn cpu_time() -> f64 {
    0.0
}
