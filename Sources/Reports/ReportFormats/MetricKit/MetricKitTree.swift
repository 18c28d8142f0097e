internal import Bytes
internal import JSON

/// A call tree of a payload: each frame, and the frame that contains it.
///
/// The frames are nested, with two brackets for each call, which exceeds the depth limit of a document. So
/// the trees are read separately, without recursion, and the rest of the document is read without them.
struct MetricKitTree {
  struct Node {
    var binaryUUID: String?
    var binaryName: String?
    /// The offset into the image, or its address, as older systems write it.
    var offset: UInt64?
    var address: UInt64?
    var samples: UInt64 = 1
    /// The frame whose `subFrames` contain it; `nil` for a root.
    var parent: Int?
  }

  /// The frames, each after the one that contains it.
  private(set) var nodes: [Node] = []
  /// Whether frames were left out because of the limit.
  private(set) var isFull = false

  /// Whether a call has several callees: samples of many moments were merged.
  var hasBranches: Bool {
    var seen = [Bool](repeating: false, count: nodes.count)
    var hasRoot = false
    for node in nodes {
      guard let parent = node.parent else {
        if hasRoot { return true }
        hasRoot = true
        continue
      }
      if seen[parent] { return true }
      seen[parent] = true
    }
    return false
  }

  /// The frames from a root to a leaf with the most samples.
  var heaviestPath: [Node] {
    var heaviest = [Int?](repeating: nil, count: nodes.count)
    var root: Int?
    for (index, node) in nodes.enumerated() {
      guard let parent = node.parent else {
        if root.map({ nodes[$0].samples < node.samples }) ?? true { root = index }
        continue
      }
      if heaviest[parent].map({ nodes[$0].samples < node.samples }) ?? true {
        heaviest[parent] = index
      }
    }
    var path: [Node] = []
    var next = root
    while let index = next {
      path.append(nodes[index])
      next = heaviest[index]
    }
    return path
  }

  /// The number of samples of the roots.
  var samples: UInt64 {
    nodes.reduce(0) { sum, node in
      guard node.parent == nil else { return sum }
      let (total, overflow) = sum.addingReportingOverflow(node.samples)
      return overflow ? .max : total
    }
  }

  // MARK: Reading

  private enum Container {
    /// The list of a frame's calls, or of the roots.
    case frames(parent: Int?)
    case frame(Int)
    case other
  }

  /// A key of a frame that is read.
  private enum Key {
    case uuid, name, offset, address, samples, frames, other

    init(_ text: RawSpan) {
      switch text.byteCount {
      case 10 where text.has("binaryUUID"): self = .uuid
      case 10 where text.has("binaryName"): self = .name
      case 27 where text.has("offsetIntoBinaryTextSegment"): self = .offset
      case 7 where text.has("address"): self = .address
      case 11 where text.has("sampleCount"): self = .samples
      case 9 where text.has("subFrames"): self = .frames
      default: self = .other
      }
    }
  }

  /// Reads the list of roots whose bracket is at `position`, which moves past it or to the end.
  ///
  /// - Parameter limit: The most frames that are read.
  /// - Complexity: O(n).
  init(_ bytes: RawSpan, at position: inout Int, limit: Int) {
    var open: [Container] = []
    var key = Key.other
    while position < bytes.byteCount {
      switch bytes.byte(position) {
      case UInt8(ascii: "["):
        if open.isEmpty {
          open.append(.frames(parent: nil))
        } else if case .frame(let node)? = open.last, key == .frames {
          open.append(.frames(parent: node))
        } else {
          open.append(.other)
        }
        position += 1
      case UInt8(ascii: "{"):
        if case .frames(let parent)? = open.last, nodes.count < limit {
          nodes.append(Node(parent: parent))
          open.append(.frame(nodes.count - 1))
        } else {
          if case .frames? = open.last { isFull = true }
          open.append(.other)
        }
        key = .other
        position += 1
      case UInt8(ascii: "]"), UInt8(ascii: "}"):
        open.removeLast()
        key = .other
        position += 1
        if open.isEmpty { return }
      case UInt8(ascii: "\""):
        let text = Self.string(bytes, at: &position)
        var after = position
        while after < bytes.byteCount, [9, 10, 13, 32].contains(bytes.byte(after)) { after += 1 }
        if bytes.byteOrZero(after) == UInt8(ascii: ":") {
          key = Key(bytes.part(text))
          position = after + 1
        } else if case .frame(let node)? = open.last {
          set(key, of: node, to: bytes.part(text))
          key = .other
        }
      case UInt8(ascii: "0")...UInt8(ascii: "9"):
        let number = bytes.decimal(at: &position)
        if case .frame(let node)? = open.last { set(key, of: node, to: number) }
      default: position += 1
      }
    }
  }

  /// The range of the text between the quotes; `position` moves past it.
  static func string(_ bytes: RawSpan, at position: inout Int) -> Range<Int> {
    let start = position + 1
    position = start
    while position < bytes.byteCount, bytes.byte(position) != UInt8(ascii: "\"") {
      position += bytes.byte(position) == UInt8(ascii: "\\") ? 2 : 1
    }
    position = min(position, bytes.byteCount)
    let end = position
    position = min(position + 1, bytes.byteCount)
    return start..<end
  }

  private mutating func set(_ key: Key, of node: Int, to text: RawSpan) {
    switch key {
    case .uuid: nodes[node].binaryUUID = text.name
    case .name: nodes[node].binaryName = Self.unescaped(text)
    default: break
    }
  }

  /// Decodes names with `\/` or other escapes as JSON.
  private static func unescaped(_ text: RawSpan) -> String {
    guard text.find(UInt8(ascii: "\\")) != nil else { return text.name }
    let quoted = ByteView("\"\(text.name)\"".utf8)
    do throws(ParseError) {
      return try JSONDocument.parse(quoted).value.string ?? text.name
    } catch {
      return text.name
    }
  }

  private mutating func set(_ key: Key, of node: Int, to number: UInt64?) {
    switch key {
    case .offset: nodes[node].offset = number
    case .address: nodes[node].address = number
    case .samples: nodes[node].samples = number ?? 1
    default: break
    }
  }
}
