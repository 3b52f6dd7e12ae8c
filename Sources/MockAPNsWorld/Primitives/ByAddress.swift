internal import Synchronization

/// A member because of which the compiler uses its type, which must be noncopyable, by its address only.
///
/// Without it, the compiler examines each part of the type in each function that borrows it. `WorldState` has hundreds of
/// parts, and this took a fifth of the time to compile the module.
struct ByAddress: ~Copyable { private let atom = Atomic(false) }
