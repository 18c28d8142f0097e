/// A range of a process's addresses with its protection, as a dump records it. Its bytes may be missing.
public struct MemoryMapping: Hashable, Sendable {
  /// The permitted uses of the pages.
  public struct Protection: OptionSet, Hashable, Sendable {
    public let rawValue: UInt8

    public init(rawValue: UInt8) { self.rawValue = rawValue }

    public static let read = Protection(rawValue: 1)
    public static let write = Protection(rawValue: 2)
    public static let execute = Protection(rawValue: 4)
  }

  public enum State: Hashable, Sendable {
    /// Memory is mapped.
    case mapped
    /// The first access raises an exception. Only Windows reports it; other systems have inaccessible pages.
    case guarded
    /// The addresses are reserved, but there is no memory.
    case reserved
    /// The addresses are free.
    case free
  }

  public let start: UInt64
  /// The address after the last byte.
  public let end: UInt64
  public let protection: Protection
  public let state: State
  /// The path of the file, or the system's name for the mapping: `[stack]`.
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
