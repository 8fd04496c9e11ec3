//! The choice of a backend by the CPU and by name.

use std::vec::Vec;

use super::backends::{Test, on_every_backend};
use crate::backend::{Backend, WithBackend, all, available, dispatch, dispatch_to};

/// Returns the name of the backend on which it runs.
struct Name;

impl WithBackend for Name {
    type Output = &'static str;
    fn call<B: Backend>(self, _: B) -> &'static str {
        B::NAME
    }
}

#[test]
fn names_lead_to_their_backends() {
    for (name, has) in all() {
        assert_eq!(dispatch_to(name, Name), has.then_some(name));
    }
    assert_eq!(dispatch_to("", Name), None);
    assert_eq!(dispatch_to("Portable", Name), None);
}

#[test]
fn the_best_one_is_picked() {
    assert_eq!(available().next(), Some(dispatch(Name)));
    assert_eq!(available().last(), Some("portable"));
}

/// Every backend that can be selected by name is one on which the tests run.
#[test]
fn all_of_them_are_tested() {
    struct Tested(core::cell::RefCell<Vec<(&'static str, bool)>>);
    impl Test for Tested {
        fn on<B: Backend>(&self, _: B) {
            self.0.borrow_mut().push((B::NAME, true));
        }
        fn missing(&self, name: &'static str) {
            self.0.borrow_mut().push((name, false));
        }
    }
    let tested = Tested(Vec::new().into());
    on_every_backend(&tested);
    let tested = tested.0.into_inner();
    for backend in all() {
        assert!(tested.contains(&backend), "{backend:?}");
    }
}
