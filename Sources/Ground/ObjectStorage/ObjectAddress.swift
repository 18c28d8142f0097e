public import Bytes

/// The address of an object, or the prefix of several: `s3://bucket/key`.
///
/// Addresses are equal where their bytes are: keys that look the same but are composed of different Unicode
/// characters name different objects.
public struct ObjectAddress: Sendable, CustomStringConvertible {
  public let bucket: String
  /// The key or prefix; empty for the whole bucket. Any Unicode text of at most 1,024 bytes.
  public let key: String

  /// The beginning of an address.
  public static let scheme = "s3://"
  /// The longest key, in bytes of UTF-8.
  ///
  /// Source: Amazon S3 User Guide, "Naming Amazon S3 objects".
  public static let longestKey = 1024

  /// Whether a text is meant as such an address, valid or not.
  public static func isMeant(by text: some StringProtocol) -> Bool {
    text.prefix(scheme.count).lowercased() == scheme
  }

  /// Reads `s3://bucket`, `s3://bucket/` and `s3://bucket/key`. Everything after the bucket's slash is the
  /// key as it is: a percent sign, a question mark and a second slash are part of it.
  ///
  /// - Throws: ``ObjectAddressError``.
  public init(parsing text: String) throws(ObjectAddressError) {
    guard Self.isMeant(by: text) else {
      throw ObjectAddressError(text, "does not begin with \(Self.scheme)")
    }
    // By bytes: a slash with a combining mark after it is a Character of its own.
    let rest = text.utf8.dropFirst(Self.scheme.utf8.count)
    let end = rest.firstIndex(of: UInt8(ascii: "/")) ?? rest.endIndex
    try self.init(
      bucket: String(decoding: rest[..<end], as: UTF8.self),
      key: String(decoding: rest[end...].dropFirst(), as: UTF8.self))
  }

  /// - Throws: ``ObjectAddressError`` where a name is not allowed.
  public init(bucket: String, key: String) throws(ObjectAddressError) {
    self.bucket = bucket
    self.key = key
    if let fault = Self.fault(ofBucket: bucket) {
      throw ObjectAddressError(description, "the bucket name \(fault)")
    }
    guard key.utf8.count <= Self.longestKey else {
      throw ObjectAddressError(
        description, "the key has \(key.utf8.count) bytes, more than \(Self.longestKey)")
    }
  }

  /// The address of an object whose key begins with this one: `suffix` is appended as it is.
  ///
  /// - Throws: ``ObjectAddressError`` where the key becomes too long.
  public func appending(_ suffix: String) throws(ObjectAddressError) -> ObjectAddress {
    try ObjectAddress(bucket: bucket, key: key + suffix)
  }

  /// The address as it is written, with control characters in it.
  public var description: String { "\(Self.scheme)\(bucket)/\(key)" }

  /// Names of older buckets may have capitals and underscores, and other stores allow them.
  ///
  /// Source: Amazon S3 User Guide, "General purpose bucket naming rules", without those that only new buckets
  /// have to keep.
  private static func fault(ofBucket name: String) -> String? {
    let bytes = Array(name.utf8)
    func isAlphanumeric(_ byte: UInt8) -> Bool {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"):
        true
      default: false
      }
    }
    guard !bytes.isEmpty else { return "is missing" }
    guard (3...255).contains(bytes.count) else {
      return "has \(bytes.count) bytes; buckets have 3 to 63"
    }
    guard bytes.allSatisfy({ isAlphanumeric($0) || [0x2d, 0x2e, 0x5f].contains($0) }) else {
      return "has characters other than letters, digits, dots, hyphens and underscores"
    }
    guard isAlphanumeric(bytes[0]), isAlphanumeric(bytes[bytes.count - 1]) else {
      return "does not begin and end with a letter or digit"
    }
    guard !name.contains("..") else { return "has two dots in a row" }
    return nil
  }
}

extension ObjectAddress: Hashable, Comparable {
  public static func == (left: ObjectAddress, right: ObjectAddress) -> Bool {
    left.description.utf8.elementsEqual(right.description.utf8)
  }

  /// The order of the bytes, in which S3 lists keys.
  public static func < (left: ObjectAddress, right: ObjectAddress) -> Bool {
    left.description.utf8.lexicographicallyPrecedes(right.description.utf8)
  }

  public func hash(into hasher: inout Hasher) {
    for byte in description.utf8 { hasher.combine(byte) }
  }
}

/// A text that is not the address of an object.
public struct ObjectAddressError: Error, Equatable, CustomStringConvertible, UserFacingError {
  public let text: String
  /// The problem, without the text.
  public let reason: String

  init(_ text: String, _ reason: String) {
    self.text = text
    self.reason = reason
  }

  public var description: String {
    let text = text.utf8.count > 200 ? "\(String(text.prefix(100)).printable)..." : text.printable
    return "\(text): \(reason); addresses look like s3://bucket/key"
  }

  public var failureKind: FailureKind { .wrongUsage }
}
