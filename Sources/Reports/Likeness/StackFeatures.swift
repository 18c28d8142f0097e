internal import Bytes
public import CrashModel
internal import Crypto

/// A stack as an array of weighted features, to compare it with others quickly.
///
/// Each frame is a feature with the weight of its class, divided by its position; so is its owner (class,
/// namespace or C prefix) with 15 % of that. The kind of crash (the exception's class, the sanitizer's
/// verdict, the signal) counts as a fifth of a function at the top, each of its words as a tenth. There are
/// no statistics about other stacks, so a score does not depend on what was stored before.
///
/// All numbers are integers: the same stacks have the same score on every machine.
public struct StackFeatures: Hashable, Sendable {
  /// In ascending order.
  private let entries: [FeatureEntry]
  private let total: UInt64
  /// The number of its frames that show more than how the process died.
  public let frames: Int

  /// The most words of the kind of crash that count.
  private static let wordLimit = 8
  /// The most bytes of the kind of crash, which the reporter may make any length.
  private static let typeLimit = 300

  /// - Complexity: O(n) in the calls, of which at most 60 are read once the top is found.
  public init(_ stack: NormalisedStack) {
    var entries: [FeatureEntry] = []
    entries.reserveCapacity(2 * Swift.min(stack.calls.count, StackFrames.limit) + Self.wordLimit)
    for frame in StackFrames(stack) {
      let token = Array(stack.calls[frame.index].token.utf8)
      let weight = frame.frameClass.weight / UInt64(frame.position)
      entries.append(
        FeatureEntry(
          FeatureEntry.hash(.frame, token), position: frame.position, weight: weight,
          isFrame: frame.frameClass != .death))
      if let owner = FunctionOwner.owner(of: token) {
        entries.append(
          FeatureEntry(
            FeatureEntry.hash(.owner, owner), position: frame.position, weight: weight * 15 / 100,
            isFrame: false))
      }
    }
    if let type = stack.type.map({ Array($0.utf8.prefix(Self.typeLimit)) }), !type.isEmpty {
      entries.append(
        FeatureEntry(
          FeatureEntry.hash(.type, type), position: 1, weight: FeatureEntry.unit / 5,
          isFrame: false))
      let words = type.split { !Self.isWord($0) }.prefix(Self.wordLimit)
      for word in words {
        entries.append(
          FeatureEntry(
            FeatureEntry.hash(.word, word), position: 1, weight: FeatureEntry.unit / 10,
            isFrame: false))
      }
    }
    self.init(entries: entries.sorted())
  }

  private static func isWord(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "-") || UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte | 0x20
  }

  private init(entries: [FeatureEntry]) {
    self.entries = entries
    total = entries.reduce(0) { $0 + $1.weight }
    frames = entries.count(where: \.isFrame)
  }

  // MARK: Comparing

  /// The likeness of two stacks, in either order.
  ///
  /// Equal features are paired in their order. A pair counts with both weights, reduced by the distance of
  /// their positions. The sum is divided by the weights of all features of both.
  ///
  /// - Complexity: O(features).
  public func likeness(to other: StackFeatures) -> Likeness {
    var (own, others) = (0, 0)
    var sum: UInt64 = 0
    var frames = 0
    while own < entries.count, others < other.entries.count {
      let (one, another) = (entries[own], other.entries[others])
      if one.hash == another.hash {
        sum += (one.weight + another.weight) * Self.nearness(one.position, another.position)
        if one.isFrame && another.isFrame { frames += 1 }
        own += 1
        others += 1
      } else if one.hash < another.hash {
        own += 1
      } else {
        others += 1
      }
    }
    let all = total + other.total
    return Likeness(
      millionths: all == 0 ? 0 : Int(sum * 1_000_000 / (all * FeatureEntry.unit)),
      matchedFrames: frames)
  }

  /// exp(-0.2 d) for two positions that are d apart, as a fraction of ``FeatureEntry/unit``.
  private static func nearness(_ one: Int, _ other: Int) -> UInt64 { nearnesses[abs(one - other)] }

  /// Powers of exp(-0.2) = 53,656 / 65,536.
  private static let nearnesses: [UInt64] = (0..<64).map { distance in
    (0..<distance).reduce(FeatureEntry.unit) { value, _ in value * 53_656 / FeatureEntry.unit }
  }

  // MARK: Finding

  /// The most lists of an index that hold a stack.
  public static let listLimit = 12
  private static let indexedFrames = 7

  /// The lists of an index that hold a stack and in which it is looked up, the most significant first, with
  /// their weights: the heaviest frames, and pairs of neighbours among them.
  ///
  /// Two similar stacks share some of them. A pair is rarer than a frame, so it leads to the similar stacks
  /// where thousands share the frame.
  public var lists: [(number: Int64, weight: UInt64)] {
    let heaviest = entries.filter { $0.weight > 0 && $0.isFrame }
      .sorted { ($1.weight, $0.position, $0.hash) < ($0.weight, $1.position, $1.hash) }
      .prefix(Self.indexedFrames)
      .sorted { $0.position < $1.position }
    var lists = heaviest.map { (number: Int64($0.hash << 1), weight: $0.weight) }
    for (one, other) in zip(heaviest, heaviest.dropFirst()) {
      // As in all columns of numbers, none exceeds 2^58.
      let both = (FeatureEntry.mixed(one.hash &* 31 &+ other.hash) >> 8) << 1 | 1
      lists.append((Int64(both), one.weight + other.weight))
    }
    // A frame that is in a stack twice gives one list.
    var seen: Set<Int64> = []
    let sorted = lists.sorted { ($1.weight, $0.number) < ($0.weight, $1.number) }
    return Array(sorted.filter { seen.insert($0.number).inserted }.prefix(Self.listLimit))
  }

  // MARK: Storing

  /// Eight bytes for each feature, the most significant first.
  public var packed: [UInt8] {
    entries.flatMap { entry in
      (0..<8).map { UInt8(truncatingIfNeeded: entry.bits >> (56 - 8 * UInt64($0))) }
    }
  }

  /// A digest of the compared part of the stack: the first 16 bytes of the SHA-256 of ``packed``.
  public var digest: String {
    let bytes = packed
    return SHA256.hex(Array(SHA256.digest(of: unsafe bytes.span.bytes).prefix(16)))
  }

  /// - Returns: `nil` if the bytes are not a result of ``packed``.
  public init?(packed bytes: [UInt8]) {
    guard bytes.count % 8 == 0 else { return nil }
    var entries: [FeatureEntry] = []
    entries.reserveCapacity(bytes.count / 8)
    for start in stride(from: 0, to: bytes.count, by: 8) {
      let entry = FeatureEntry(
        bits: bytes[start..<start + 8].reduce(UInt64(0)) { $0 << 8 | UInt64($1) })
      if let last = entries.last, entry < last { return nil }
      entries.append(entry)
    }
    self.init(entries: entries)
  }
}
