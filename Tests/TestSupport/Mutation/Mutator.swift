/// Damage for readers to meet, the same for the same seed.
public struct Mutator: Sendable {
  /// Kinds of changes to the bytes.
  public enum Damage: Sendable {
    /// Bytes are changed, removed, doubled and moved, and large numbers appear: text on its way.
    case text
    /// Single bytes turn into others, into the largest, or grow by one; nothing moves. Offsets and counts
    /// go wrong.
    case binary
    /// Single bytes turn into one of these; nothing moves.
    case bytes([UInt8])

    /// Single bytes turn into any.
    public static var anyByte: Damage { .bytes(Array(0...255)) }
  }

  public var random: SplitMix
  private let damage: Damage
  private let changes: ClosedRange<Int>

  /// - Parameters:
  ///   - seed: Distinguishes the mutators of a run; when everything is tested, ``TestSize/seed``
  ///     distinguishes runs.
  ///   - changes: The number of changes in a copy.
  public init(seed: UInt64, _ damage: Damage = .text, changes: ClosedRange<Int> = 1...7) {
    let run = TestSize.isAll ? TestSize.seed &* 0x9e37_79b9_7f4a_7c15 : 0
    random = SplitMix(seed: run &+ seed)
    self.damage = damage
    self.changes = changes
  }

  /// A damaged copy of `bytes`.
  ///
  /// - Parameter range: The range to damage; everything unless given.
  public mutating func mutated(_ bytes: [UInt8], in range: Range<Int>? = nil) -> [UInt8] {
    var copy = bytes
    for _ in 0..<Int.random(in: changes, using: &random) { change(&copy, in: range) }
    return copy
  }

  /// `count` damaged copies of `bytes`.
  public mutating func copies(of bytes: [UInt8], count: Int) -> [[UInt8]] {
    (0..<count).map { _ in mutated(bytes) }
  }

  /// `count` copies of an object file, or other data full of offsets and counts, each with one to eight
  /// changes.
  public static func binary(_ bytes: [UInt8], count: Int, seed: UInt64) -> [[UInt8]] {
    var mutator = Mutator(seed: seed, .binary, changes: 1...8)
    return mutator.copies(of: bytes, count: count)
  }

  /// Bytes that open, close and separate in the formats of reports, and digits of their numbers.
  private static let marks = Array("{}[]\",:\\0e-<>()x \n\t".utf8)
  private static let largest = Array("18446744073709551615".utf8)

  private mutating func change(_ bytes: inout [UInt8], in range: Range<Int>?) {
    let range = range ?? 0..<bytes.count
    guard !range.isEmpty, range.upperBound <= bytes.count else { return }
    let index = range.lowerBound + random.below(range.count)
    switch damage {
    case .bytes(let values): bytes[index] = random.pick(values)
    case .binary:
      switch random.below(4) {
      case 0: bytes[index] = 0xff
      case 1: for index in index..<min(index + 4, range.upperBound) { bytes[index] = 0xff }
      case 2: bytes[index] &+= 1
      default: bytes[index] = UInt8(truncatingIfNeeded: random.next())
      }
    case .text:
      let end = min(range.upperBound, index + random.below(60))
      switch random.below(7) {
      case 0: bytes[index] = UInt8(truncatingIfNeeded: random.next())
      case 1: bytes[index] = random.pick(Self.marks)
      case 2: bytes.remove(at: index)
      case 3: bytes.removeSubrange(index..<end)
      case 4: bytes.insert(bytes[index], at: index)
      case 5: bytes.insert(contentsOf: Array(bytes[index..<end]), at: random.below(bytes.count))
      default: bytes.insert(contentsOf: Self.largest, at: index)
      }
    }
  }
}
