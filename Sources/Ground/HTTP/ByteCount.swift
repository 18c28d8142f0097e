/// A number of bytes, as limits are written: `.mebibytes(20)`.
public struct ByteCount: Sendable, Hashable, Comparable, ExpressibleByIntegerLiteral {
  public let bytes: Int

  public init(bytes: Int) { self.bytes = max(bytes, 0) }
  public init(integerLiteral bytes: Int) { self.init(bytes: bytes) }

  public static func kibibytes(_ count: Int) -> ByteCount { ByteCount(bytes: count << 10) }
  public static func mebibytes(_ count: Int) -> ByteCount { ByteCount(bytes: count << 20) }
  public static func gibibytes(_ count: Int) -> ByteCount { ByteCount(bytes: count << 30) }

  public static func < (one: ByteCount, other: ByteCount) -> Bool { one.bytes < other.bytes }
}
