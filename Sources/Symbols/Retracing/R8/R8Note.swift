internal import Bytes
internal import JSON

/// A comment of R8 about a class or method, after its line:
///
///     # {"id":"sourceFile","fileName":"Desk.kt"}
///     # {"id":"com.android.tools.r8.synthesized"}
///     # {"id":"com.android.tools.r8.rewriteFrame","conditions":["throws(La/b;)"],"actions":["removeInnerFrames(1)"]}
///     # {"id":"com.android.tools.r8.outline"}
///     # {"id":"com.android.tools.r8.outlineCallsite","positions":{"1":4,"2":5},"outline":"La/b;c()V"}
///
/// Source: "R8 retrace" in R8's documentation (`doc/retrace.md`).
enum R8Note: Sendable {
  case sourceFile(String)
  case synthesized
  case rewrite(R8Rewrite)
  case outline
  /// For each line printed by the outline, the line in the method that called it.
  case outlineCallsite([Int: Int])

  private static let mostBytes = 1 << 20
  private static let mostPositions = 100_000

  /// - Parameter comment: The comment from the number sign on.
  /// - Returns: `nil` for any other comment, or an unknown note.
  init?(_ comment: Range<Int>, in mapping: ByteView) {
    guard comment.count <= Self.mostBytes,
      let open = mapping.bytes.index(of: UInt8(ascii: "{"), in: comment),
      let value = try? JSONDocument.parse(mapping.clamped(open..<comment.upperBound)).value,
      let id = value["id"]?.string
    else { return nil }
    switch id {
    case "sourceFile":
      guard let name = value["fileName"]?.string, !name.isEmpty else { return nil }
      self = .sourceFile(name)
    case "com.android.tools.r8.synthesized": self = .synthesized
    case "com.android.tools.r8.outline": self = .outline
    case "com.android.tools.r8.outlineCallsite":
      var lines: [Int: Int] = [:]
      for member in (value["positions"]?.object ?? []).prefix(Self.mostPositions) {
        if let line = Int(member.key), let target = member.value.integer { lines[line] = target }
      }
      self = .outlineCallsite(lines)
    case "com.android.tools.r8.rewriteFrame":
      guard let rewrite = R8Rewrite(value) else { return nil }
      self = .rewrite(rewrite)
    default: return nil
    }
  }
}

/// Frames that R8 added, to be removed from a stack where the exception comes from them.
struct R8Rewrite: Sendable {
  /// The classes that the exception must have, one per condition, as named in the app or the source.
  private let thrown: [String]
  /// How many of the innermost frames are removed.
  let removed: Int

  /// - Returns: `nil` where a condition or an action is unknown: then nothing may be changed.
  init?(_ value: JSONValue) {
    var thrown: [String] = []
    for condition in value["conditions"]?.array ?? [] {
      guard let type = condition.string.flatMap({ Self.argument(of: "throws", in: $0) }),
        type.hasPrefix("L"), type.hasSuffix(";")
      else { return nil }
      thrown.append(String(type.dropFirst().dropLast().map { $0 == "/" ? "." : $0 }))
    }
    var removed = 0
    for action in value["actions"]?.array ?? [] {
      guard
        let count = action.string.flatMap({ Self.argument(of: "removeInnerFrames", in: $0) })
          .flatMap({ Int($0) }), count >= 0
      else { return nil }
      removed = max(removed, count)
    }
    guard !thrown.isEmpty else { return nil }
    self.thrown = thrown
    self.removed = removed
  }

  /// `3` of `removeInnerFrames(3)`.
  private static func argument(of name: String, in text: String) -> String? {
    guard text.hasPrefix(name + "("), text.hasSuffix(")") else { return nil }
    return String(text.dropFirst(name.utf8.count + 1).dropLast())
  }

  /// Whether it applies to an exception, given all of its names.
  func holds(for exception: [String]) -> Bool { thrown.allSatisfy { exception.contains($0) } }
}
