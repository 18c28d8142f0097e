package import Bytes

/// A file, or a member of an archive, and what it turned out to be.
public struct FileFact: Hashable, Sendable {
  /// The file's location for display.
  public var path: String
  /// The number of preceding members of its archive that have the same name.
  public var occurrence: Int
  /// Whether it came out of an archive.
  public var isMember: Bool
  public var content: Content
  /// The SHA-256 of each of its parts with reports: one, except for long logs. In order.
  public var digests: [[UInt8]]
  /// Why it, or a part of it, could not be read. In order.
  public var refusals: [Refusal]

  public enum Content: Int, Hashable, Sendable {
    /// Only refusals.
    case none
    case attachment
    case reports
  }

  public struct Refusal: Hashable, Sendable {
    public var kind: Kind
    public var reason: String

    public enum Kind: Int, Hashable, Sendable {
      case unreadable, debugFile, foreign
    }

    public init(kind: Kind, reason: String) {
      self.kind = kind
      self.reason = reason
    }

    fileprivate static func order(_ left: Refusal, _ right: Refusal) -> Int {
      left.kind == right.kind
        ? TextOrder.compare(left.reason, right.reason) : left.kind.rawValue - right.kind.rawValue
    }
  }

  public init(
    path: String, occurrence: Int, isMember: Bool, content: Content = .none,
    digests: [[UInt8]] = [], refusals: [Refusal] = []
  ) {
    self.path = path
    self.occurrence = occurrence
    self.isMember = isMember
    self.content = content
    self.digests = digests
    self.refusals = refusals
    sort()
  }

  private mutating func sort() {
    digests = Set(digests).sorted { $0.lexicographicallyPrecedes($1) }
    refusals = Set(refusals).sorted { Refusal.order($0, $1) < 0 }
  }
}

extension FileFact: BatchRecord {
  package static let section = BatchSection.files

  package static func records(of batch: Batch) -> [FileFact] { batch.files }

  package static func append(_ record: FileFact, to batch: inout Batch) {
    batch.files.append(record)
  }

  package static func order(_ left: FileFact, _ right: FileFact) -> Int {
    let order = TextOrder.comparePaths(left.path, right.path)
    return order == 0 ? left.occurrence - right.occurrence : order
  }

  package mutating func join(_ other: FileFact) {
    // A file that could be read once was only out of reach the other time.
    guard content == other.content else {
      if other.content.rawValue > content.rawValue { self = other }
      return
    }
    isMember = isMember || other.isMember
    digests += other.digests
    refusals += other.refusals
    sort()
  }

  package func write(to encoder: inout BatchEncoder) {
    encoder.text(path)
    encoder.number(occurrence)
    encoder.flag(isMember)
    encoder.number(content.rawValue)
    encoder.number(digests.count)
    for digest in digests { for byte in digest { encoder.byte(byte) } }
    encoder.list(refusals) { encoder, refusal in
      encoder.number(refusal.kind.rawValue)
      encoder.text(refusal.reason)
    }
  }

  package init(from decoder: inout BatchDecoder) throws(ParseError) {
    path = try decoder.text()
    occurrence = try decoder.number()
    isMember = try decoder.flag()
    guard let content = Content(rawValue: try decoder.number()) else {
      throw decoder.error("an unknown kind of file")
    }
    self.content = content
    digests = []
    for _ in 0..<(try decoder.count()) {
      let digest = try decoder.data(count: 32)
      try decoder.check(digests.last.map { $0.lexicographicallyPrecedes(digest) })
      digests.append(digest)
    }
    refusals = []
    for _ in 0..<(try decoder.count()) {
      guard let kind = Refusal.Kind(rawValue: try decoder.number()) else {
        throw decoder.error("an unknown kind of refusal")
      }
      let refusal = Refusal(kind: kind, reason: try decoder.text())
      try decoder.check(refusals.last.map { Refusal.order($0, refusal) < 0 })
      refusals.append(refusal)
    }
  }
}
