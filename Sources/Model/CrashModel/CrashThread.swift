/// One thread of the process.
public struct CrashThread: Hashable, Sendable {
  /// The number that the report gives it.
  public var index: Int
  /// The system's identifier.
  public var id: UInt64?
  public var name: String?
  public var crashed: Bool
  public var registers: [Register]
  /// The error of the last call of the system that failed in this thread: `ERROR_FILE_NOT_FOUND`.
  public var lastError: String?
  /// Youngest first.
  public var frames: [Frame]

  public init(
    index: Int, id: UInt64? = nil, name: String? = nil, crashed: Bool = false,
    registers: [Register] = [], frames: [Frame] = []
  ) {
    self.index = index
    self.id = id
    self.name = name
    self.crashed = crashed
    self.registers = registers
    self.frames = frames
  }
}

/// A register and what it held.
public struct Register: Hashable, Sendable {
  public var name: String
  public var value: UInt64

  public init(_ name: String, _ value: UInt64) {
    self.name = name
    self.value = value
  }
}
