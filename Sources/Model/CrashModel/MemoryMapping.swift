/// A range of a process's addresses and what may be done there, as a dump says. Its bytes may be missing.
public struct MemoryMapping: Hashable, Sendable {
  /// What the pages may be used for.
  public struct Protection: OptionSet, Hashable, Sendable {
    public let rawValue: UInt8

    public init(rawValue: UInt8) { self.rawValue = rawValue }

    public static let read = Protection(rawValue: 1)
    public static let write = Protection(rawValue: 2)
    public static let execute = Protection(rawValue: 4)
  }

  public enum State: Hashable, Sendable {
    /// Memory is there.
    case mapped
    /// The first access is an exception. Only Windows says so; other systems have pages that nobody may use.
    case guarded
    /// The addresses are taken, but there is no memory.
    case reserved
    /// Nothing is there.
    case free
  }

  public let start: UInt64
  /// The address after the last byte.
  public let end: UInt64
  public let protection: Protection
  public let state: State
  /// The path of the file, or what the system calls it: `[stack]`.
  public let name: String?

  /// - Parameter end: An earlier address than `start` makes the mapping empty.
  public init(
    start: UInt64, end: UInt64, protection: Protection, state: State = .mapped, name: String? = nil
  ) {
    self.start = start
    self.end = max(start, end)
    self.protection = protection
    self.state = state
    self.name = name
  }
}
