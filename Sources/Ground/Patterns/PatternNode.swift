/// A part of a pattern.
package indirect enum PatternNode: Sendable {
  case set(ByteSet)
  case sequence([PatternNode])
  case choice([PatternNode])
  /// At least so often and, unless `nil`, at most so often.
  case repeated(PatternNode, Int, Int?)

  package static let empty = PatternNode.sequence([])

  /// Any character of UTF-8 outside ASCII, whole.
  package static let beyondASCII: PatternNode = {
    let tail = PatternNode.set(ByteSet(0x80...0xbf))
    return .choice([
      .sequence([.set(ByteSet(0xc2...0xdf)), tail]),
      .sequence([.set(ByteSet(0xe0...0xef)), tail, tail]),
      .sequence([.set(ByteSet(0xf0...0xf4)), tail, tail, tail]),
    ])
  }()

  /// Whether it fits the empty text.
  package var fitsNothing: Bool {
    switch self {
    case .set: false
    case .sequence(let parts): parts.allSatisfy(\.fitsNothing)
    case .choice(let parts): parts.contains(where: \.fitsNothing)
    case .repeated(let part, let least, _): least == 0 || part.fitsNothing
    }
  }
}
