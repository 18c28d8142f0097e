internal import Bytes

extension R8Mapping {
  /// Texts longer than this stay as they are.
  private static let mostTextBytes = 1 << 20

  /// A text of the app, such as an exception's message, with the names of the source for classes and methods
  /// that it spells with their packages: `void a.b.c()`, `a.b cannot be cast to a.c`.
  ///
  /// - Complexity: O(n log m) in the text and the mapping.
  public func retrace(text: String) -> String {
    guard text.utf8.count <= Self.mostTextBytes, text.utf8.contains(UInt8(ascii: ".")) else {
      return text
    }
    let bytes = Array(text.utf8)
    var result: [UInt8] = []
    var index = 0
    while index < bytes.count {
      guard Self.isOfName(bytes[index]) else {
        result.append(bytes[index])
        index += 1
        continue
      }
      var end = index
      while end < bytes.count, Self.isOfName(bytes[end]) { end += 1 }
      var stop = end
      // A full stop may end the sentence.
      while stop > index, bytes[stop - 1] == UInt8(ascii: ".") { stop -= 1 }
      let word = bytes[index..<stop]
      let isCall = end == stop && end < bytes.count && bytes[end] == UInt8(ascii: "(")
      if let name = name(of: word, isCall: isCall) {
        result += name.utf8
      } else {
        result += word
      }
      result += bytes[stop..<end]
      index = end
    }
    return String(decoding: result, as: UTF8.self)
  }

  private func name(of word: ArraySlice<UInt8>, isCall: Bool) -> String? {
    guard let dot = word.lastIndex(of: UInt8(ascii: ".")), dot > word.startIndex else { return nil }
    let text = String(decoding: word, as: UTF8.self)
    // What people write in sentences.
    if text == "e.g" || text == "i.e" { return nil }
    if let known = className(text) { return known }
    guard isCall else { return nil }
    let call = R8Call(
      className: String(decoding: word[..<dot], as: UTF8.self),
      method: String(decoding: word[(dot + 1)...], as: UTF8.self))
    var steps = Self.mostCandidates
    guard let answer = retrace(call, steps: &steps), let frame = answer.frames.last else {
      return nil
    }
    return answer.others.isEmpty ? frame.name : "\(frame.className).\(call.method)"
  }

  private static func isOfName(_ byte: UInt8) -> Bool {
    byte >= 0x80 || byte.isDigit || (byte | 0x20) &- 97 < 26 || "._$-".utf8.contains(byte)
  }
}
