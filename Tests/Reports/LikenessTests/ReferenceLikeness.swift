import CrashModel
import Foundation

/// Likeness as defined, in floating point and regardless of speed.
enum ReferenceLikeness {
  private static let weights: [FrameClass: Double] = [
    .app: 1, .system: 0.5, .unknown: 0.5, .glue: 0.35, .base: 0.25, .death: 0.1, .void: 0,
  ]

  private struct Feature {
    let name: String
    let position: Int
    let weight: Double
  }

  static func score(_ one: NormalisedStack, _ other: NormalisedStack) -> Double {
    let (left, right) = (features(one), features(other))
    let all = (left + right).reduce(0) { $0 + $1.weight }
    guard all > 0 else { return 0 }
    var sum = 0.0
    for name in Set(left.map(\.name)) {
      for (one, other) in zip(
        left.filter { $0.name == name }, right.filter { $0.name == name })
      {
        sum +=
          (one.weight + other.weight) * exp(-0.2 * Double(abs(one.position - other.position)))
      }
    }
    return sum / all
  }

  private static func features(_ stack: NormalisedStack) -> [Feature] {
    var calls = stack.calls[...]
    let isTop = { (call: NormalisedStack.Call) in
      call.frameClass == .death || call.frameClass == .void
    }
    if calls.contains(where: { !isTop($0) }) { calls = calls.drop(while: isTop) }
    let known = calls.filter { $0.frameClass != .void }.prefix(60)
    var features: [Feature] = []
    for (index, call) in known.enumerated() {
      let weight = (weights[call.frameClass] ?? 0) / Double(index + 1)
      features.append(Feature(name: "frame " + call.token, position: index + 1, weight: weight))
      if let owner = owner(call.token) {
        features.append(Feature(name: "owner " + owner, position: index + 1, weight: weight * 0.15))
      }
    }
    guard let type = stack.type else { return features }
    features.append(Feature(name: "type " + type, position: 1, weight: 0.2))
    for word in type.components(separatedBy: CharacterSet.letters.union(["-"]).inverted)
    where !word.isEmpty {
      features.append(Feature(name: "word " + word, position: 1, weight: 0.1))
    }
    return features
  }

  /// Only for the spellings of ``RandomStack``.
  private static func owner(_ token: String) -> String? {
    if token.hasPrefix("-[") { return String(token.dropFirst(2).prefix { $0 != " " }) }
    if token.hasPrefix("[") { return nil }
    for separator in ["::", "."] {
      if let range = token.range(of: separator, options: .backwards) {
        return String(token[..<range.lowerBound])
      }
    }
    return token.firstIndex(of: "_").map { String(token[..<$0]) }
  }
}
