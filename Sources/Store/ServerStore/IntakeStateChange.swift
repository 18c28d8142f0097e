internal import Bytes
internal import Database

/// The changes that a transaction makes to the counts in `intake_states`: the number of submissions in
/// each state, and the bytes of their bodies.
///
/// Every statement that adds, moves or removes rows of `intake` records its change here, and the
/// transaction writes the sum once.
struct IntakeStateChange {
  private var changes: [IntakeState: (count: Int, bytes: Int)] = [:]

  init() {}

  mutating func add(bytes: Int, to state: IntakeState) { change(state, by: 1, bytes: bytes) }

  mutating func remove(bytes: Int, from state: IntakeState) {
    change(state, by: -1, bytes: 0.subtractingClamped(bytes))
  }

  mutating func move(bytes: Int, from old: IntakeState, to new: IntakeState) {
    remove(bytes: bytes, from: old)
    add(bytes: bytes, to: new)
  }

  private mutating func change(_ state: IntakeState, by count: Int, bytes: Int) {
    let old = changes[state, default: (0, 0)]
    changes[state] = (old.count + count, old.bytes.addingClamped(bytes))
  }

  func write(to database: borrowing Connection) throws(DatabaseError) {
    for (state, change) in changes where change != (0, 0) {
      try database.run(
        "UPDATE intake_states SET count = count + ?2, bytes = bytes + ?3 WHERE state = ?1",
        state, change.count, change.bytes)
    }
  }
}
