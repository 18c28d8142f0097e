/// Outcomes of the inputs that a reader was given. Damaged input ends in a value or in an error; a trap
/// ends the test run. A test that only waits for traps checks these counts, so that it fails if no
/// input reached the reader.
public struct Outcomes: Sendable {
  public private(set) var read = 0
  public private(set) var refused = 0

  public init() {}

  public var all: Int { read + refused }
  /// Whether there were both: input with so little damage that it could be read, and input that could not.
  public var isMixed: Bool { read > 0 && refused > 0 }

  /// Counts what `body` does with one input.
  public mutating func count(_ body: () throws -> Void) {
    do {
      try body()
      read += 1
    } catch {
      refused += 1
    }
  }
}
