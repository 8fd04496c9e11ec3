//! Runs the operation that the second argument names, on a thread with as much stack as the first
//! one says; without arguments, prints the names of all. A stack that is too small ends the process
//! by a signal.

mod program;

fn main() {
    let operations = program::operations();
    let mut arguments = std::env::args().skip(1);
    let (Some(stack), Some(operation)) = (arguments.next(), arguments.next()) else {
        operations.iter().for_each(|(name, _)| println!("{name}"));
        return;
    };
    let mut operations = operations.into_iter();
    let (_, run) = operations
        .find(|(name, _)| *name == operation)
        .expect("an operation");
    std::thread::Builder::new()
        .stack_size(stack.parse().expect("bytes"))
        .spawn(run)
        .expect("a thread")
        .join()
        .expect("no panic");
}
