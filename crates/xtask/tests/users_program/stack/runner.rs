//! Runs the operation that the second argument names on a thread whose stack has the size in the first
//! argument, in bytes. Without arguments, prints the names of all operations. If the stack is too small, a
//! signal ends the process.

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
