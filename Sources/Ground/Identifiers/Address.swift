/// A position in the memory of the process that crashed.
public struct Address: Hashable, Comparable, Sendable {
  public let value: UInt64

  public init(_ value: UInt64) { self.value = value }

  public static func < (left: Address, right: Address) -> Bool { left.value < right.value }
}

extension Address: CustomStringConvertible {
  /// Lower-case hexadecimal with `0x`.
  public var description: String { "0x" + String(value, radix: 16) }
}

/// A position in a loaded image: bytes from its load address, whatever address it was linked for.
public struct ImageOffset: Hashable, Comparable, Sendable {
  public let value: UInt64

  public init(_ value: UInt64) { self.value = value }

  public static func < (left: ImageOffset, right: ImageOffset) -> Bool { left.value < right.value }
}

extension ImageOffset: CustomStringConvertible {
  public var description: String { "0x" + String(value, radix: 16) }
}
