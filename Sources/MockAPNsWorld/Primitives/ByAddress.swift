internal import Synchronization

/// Makes a noncopyable type that has it one that the compiler uses by its address only.
///
/// Of any other, the compiler examines each of its parts in each function that borrows it. For `WorldState`, which has
/// hundreds of them, that was a fifth of the time to compile this module.
struct ByAddress: ~Copyable { private let atom = Atomic(false) }
