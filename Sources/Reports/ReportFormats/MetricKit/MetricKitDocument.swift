internal import Bytes
internal import JSON

/// A payload: its call trees, and the rest of its document with a number in place of each tree.
struct MetricKitDocument {
  /// The payloads: one, several in sequence, or a list.
  let payloads: [JSONValue]
  let trees: [MetricKitTree]
  /// Whether the last one is cut off.
  let isCut: Bool

  /// - Throws: ``ParseError`` for damage outside the trees.
  /// - Complexity: O(n).
  init(reading bytes: ByteView) throws(ParseError) {
    let span = bytes.bytes
    var rest: [UInt8] = []
    var trees: [MetricKitTree] = []
    var frames = 0
    var position = 0
    while position < span.byteCount {
      guard span.byte(position) == UInt8(ascii: "\"") else {
        rest.append(span.byte(position))
        position += 1
        continue
      }
      let start = position
      let text = span.part(MetricKitTree.string(span, at: &position))
      for index in start..<position { rest.append(span.byte(index)) }
      guard Self.isRoots(text), let bracket = Self.bracket(after: position, in: span)
      else { continue }
      position = bracket
      let tree = MetricKitTree(span, at: &position, limit: max(0, AppleLimits.frames - frames))
      frames += tree.nodes.count
      rest += Array(":\(trees.count)".utf8)
      trees.append(tree)
    }
    let sequence = try JSONSequence(reading: ByteView(rest), limit: AppleLimits.reports)
    payloads = sequence.objects
    isCut = sequence.isCut
    self.trees = trees
  }

  /// The key of a tree's roots, which iOS 27 renames.
  private static func isRoots(_ key: RawSpan) -> Bool {
    key.byteCount == 19 && key.has("callStackRootFrames")
      || key.byteCount == 10 && key.has("rootFrames")
  }

  /// The start of the list for the key that ends at `position`.
  private static func bracket(after position: Int, in bytes: RawSpan) -> Int? {
    var index = position
    var hasColon = false
    while index < bytes.byteCount {
      switch bytes.byte(index) {
      case 9, 10, 13, 32: break
      case UInt8(ascii: ":"):
        guard !hasColon else { return nil }
        hasColon = true
      case UInt8(ascii: "["): return hasColon ? index : nil
      default: return nil
      }
      index += 1
    }
    return nil
  }
}
