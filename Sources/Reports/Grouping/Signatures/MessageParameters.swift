/// Removes the parts of a message that differ from crash to crash.
///
/// Quoted values, URLs, email, network and memory addresses, dates, durations and sizes, paths and numbers
/// become `<str> <url> <email> <uuid> <ip> <date> <dur> <path> <hex> <addr> <num>`. Digits that belong to a
/// word stay: `utf8`, `x86_64`.
struct MessageParameters {
  /// The text of `message` without its parameters, cut on a word.
  static func parameterised(_ message: String) -> String {
    var scan = MessageParameters(Scrubbing.scrub(message, limit: SigningLimits.messageBytes))
    scan.run()
    return cut(scan.output).text
  }

  private static func cut(_ text: NameBytes) -> NameBytes {
    guard text.count > SigningLimits.messageText else { return text }
    var end = SigningLimits.messageText
    while end > 0, text[end] != 0x20 { end -= 1 }
    var text = text
    if end == 0 {
      Scrubbing.shorten(&text, to: SigningLimits.messageText)
    } else {
      text.cut(at: end)
    }
    return text
  }

  let input: NameBytes
  private var output = NameBytes()
  private(set) var index = 0

  private init(_ input: NameBytes) { self.input = input }

  private mutating func run() {
    // Twice the limit is enough: a parameter's replacement is never longer than the limit.
    while index < input.count, output.count <= 2 * SigningLimits.messageText {
      let before = input.at(index - 1)
      let isWordStart = index == 0 || !before.isIdentifier
      if isWordStart, let end = standard() {
        output.append(contentsOf: input[index..<end])
        index = end
        continue
      }
      if let (end, mark) = parameter(isWordStart: isWordStart) {
        output.append(mark)
        index = end
        continue
      }
      if input[index].isIdentifier {
        // The rest of a word, digits and all.
        let start = index
        while index < input.count, input[index].isIdentifier { index += 1 }
        let word = input[start..<index]
        if isWordStart, let name = ClassCluster.publicName(of: NameBytes(word)) {
          output.append(contentsOf: name)
        } else if isWordStart, let (kept, end) = numbered(word, endingAt: index) {
          output.append(contentsOf: word.prefix(kept))
          output.append("<num>")
          index = end
        } else {
          output.append(contentsOf: word)
        }
      } else {
        output.append(input[index])
        index += 1
      }
    }
  }

  private func parameter(isWordStart: Bool) -> (Int, StaticString)? {
    let byte = input[index]
    if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'"), let end = quoted() {
      return (end, "<str>")
    }
    if byte == UInt8(ascii: "@"), let end = objectID() { return (end, "@<addr>") }
    guard isWordStart else { return nil }
    if let end = quotedIdentifier() { return (end, "<str>") }
    if let end = host() { return (end, "<host>") }
    if let end = shortHash() { return (end, "<hex>") }
    if byte == UInt8(ascii: "."), let start = afterParents() {
      return path(from: start)
    }
    if byte == UInt8(ascii: "/") || byte == UInt8(ascii: "~") || byte.isLetter, let result = path()
    {
      return result
    }
    if byte == UInt8(ascii: ":"), input.at(index + 1) == UInt8(ascii: ":"), let end = internetSix()
    {
      return (end, "<ip>")
    }
    guard byte.isIdentifier || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "+") else {
      return nil
    }
    if byte.isLetter, let end = url() { return (end, "<url>") }
    if let end = mail() { return (end, "<email>") }
    if byte.isHexDigit {
      if let end = uuid() { return (end, "<uuid>") }
      if let end = internetFour() ?? internetSix() { return (end, "<ip>") }
      if let end = hardware() { return (end, "<addr>") }
    }
    if byte.isDigit, let end = date() { return (end, "<date>") }
    if byte.isDigit, let end = goDuration() { return (end, "<dur>") }
    if let result = number() { return result }
    if let end = hexadecimal() { return (end, "<hex>") }
    if let end = encoded() { return (end, "<str>") }
    return nil
  }

  /// A quoted string after `=` or `:`.
  private func quoted() -> Int? {
    var before = index - 1
    while before >= 0, input[before] == 0x20 { before -= 1 }
    guard before >= 0, input[before] == UInt8(ascii: "=") || input[before] == UInt8(ascii: ":")
    else {
      return nil
    }
    guard let close = input[(index + 1)...].firstIndex(of: input[index]) else { return nil }
    return close + 1
  }

  private func objectID() -> Int? {
    var end = index + 1
    while input.at(end).isHexDigit { end += 1 }
    let isLong =
      end - index > 4
      || end - index > 2 && input[index..<end].contains { $0.isDigit }
    return isLong && !input.at(end).isIdentifier ? end : nil
  }

  private func isEndOfText(_ byte: UInt8) -> Bool {
    switch byte {
    case 0, 0x20, UInt8(ascii: "\""), UInt8(ascii: "'"), UInt8(ascii: "<"), UInt8(ascii: ">"),
      UInt8(ascii: ")"), UInt8(ascii: "]"), UInt8(ascii: "}"), UInt8(ascii: ","), UInt8(ascii: ";"):
      true
    default: false
    }
  }

  private func url() -> Int? {
    var end = index
    while input.at(end).isLetter || input.at(end).isDigit { end += 1 }
    guard input.has("://", at: end) else { return nil }
    while !isEndOfText(input.at(end)) { end += 1 }
    return end
  }

  private func mail() -> Int? {
    var end = index
    func isPart(_ byte: UInt8) -> Bool {
      byte.isIdentifier || byte == UInt8(ascii: ".") || byte == UInt8(ascii: "-")
        || byte == UInt8(ascii: "+")
    }
    while isPart(input.at(end)), end - index < 64 { end += 1 }
    guard end > index, input.at(end) == UInt8(ascii: "@") else { return nil }
    let domain = end + 1
    end = domain
    while isPart(input.at(end)), end - domain < 255 { end += 1 }
    while end > domain, input[end - 1] == UInt8(ascii: ".") { end -= 1 }
    guard input[domain..<end].contains(UInt8(ascii: ".")) else { return nil }
    return end
  }

  private func hexRun(_ start: Int) -> Int {
    var end = start
    while input.at(end).isHexDigit { end += 1 }
    return end
  }

  private func uuid() -> Int? {
    var end = index
    for (position, length) in [8, 4, 4, 4, 12].enumerated() {
      if position > 0 {
        guard input.at(end) == UInt8(ascii: "-") else { return nil }
        end += 1
      }
      guard hexRun(end) == end + length else { return nil }
      end += length
    }
    return input.at(end).isIdentifier ? nil : end
  }

  private func internetFour() -> Int? {
    var end = index
    for position in 0..<4 {
      if position > 0 {
        guard input.at(end) == UInt8(ascii: ".") else { return nil }
        end += 1
      }
      let next = input.digitsEnd(end)
      guard next > end, next - end <= 3 else { return nil }
      end = next
    }
    guard !input.at(end).isIdentifier,
      !(input.at(end) == UInt8(ascii: ".") && input.at(end + 1).isDigit)
    else { return nil }
    if input.at(end) == UInt8(ascii: ":") {
      let port = input.digitsEnd(end + 1)
      if port > end + 1, port - end <= 6 { end = port }
    }
    return end
  }

  private func internetSix() -> Int? {
    var end = index
    var colons = 0
    var isDouble = false
    while input.at(end).isHexDigit || input.at(end) == UInt8(ascii: ":") {
      if input[end] == UInt8(ascii: ":") {
        colons += 1
        if input.at(end + 1) == UInt8(ascii: ":") { isDouble = true }
      }
      end += 1
      guard end - index <= 39 else { return nil }
    }
    guard !input.at(end).isIdentifier, isDouble ? colons >= 2 && end - index >= 4 : colons == 7
    else {
      return nil
    }
    return end
  }

  private func hardware() -> Int? {
    var end = index
    for position in 0..<6 {
      if position > 0 {
        guard input.at(end) == UInt8(ascii: ":") || input.at(end) == UInt8(ascii: "-") else {
          return nil
        }
        end += 1
      }
      guard hexRun(end) == end + 2 else { return nil }
      end += 2
    }
    return end
  }

  /// `2026-11-21T03:07:12.275Z`, `2026/11/21`, `03:07:12`.
  private func date() -> Int? {
    var end = input.digitsEnd(index)
    var found: Int?
    if end - index == 4, let separator = Optional(input.at(end)),
      separator == UInt8(ascii: "-") || separator == UInt8(ascii: "/"),
      input.digitsEnd(end + 1) == end + 3, input.at(end + 3) == separator,
      input.digitsEnd(end + 4) == end + 6
    {
      found = end + 6
      let next = input.at(end + 6)
      guard next == 0x20 || next == UInt8(ascii: "T"), let time = time(end + 7) else {
        return found
      }
      return time
    }
    end = index
    found = time(end)
    return found
  }

  private func time(_ start: Int) -> Int? {
    let hour = input.digitsEnd(start)
    guard hour > start, hour - start <= 2, input.at(hour) == UInt8(ascii: ":"),
      input.digitsEnd(hour + 1) == hour + 3
    else { return nil }
    var end = hour + 3
    guard input.at(end) == UInt8(ascii: ":"), input.digitsEnd(end + 1) == end + 3 else {
      return nil
    }
    end += 3
    if input.at(end) == UInt8(ascii: ".") || input.at(end) == UInt8(ascii: ",") {
      let fraction = input.digitsEnd(end + 1)
      if fraction > end + 1 { end = fraction }
    }
    if input.at(end) == UInt8(ascii: "Z") { return end + 1 }
    let zone = input.at(end) == 0x20 ? end + 1 : end
    if input.at(zone) == UInt8(ascii: "+") || input.at(zone) == UInt8(ascii: "-"),
      input.digitsEnd(zone + 1) >= zone + 3
    {
      end = input.digitsEnd(zone + 1)
      if input.at(end) == UInt8(ascii: ":") { end = input.digitsEnd(end + 1) }
    }
    return end
  }

  /// Paths of Windows and of Unix; the extension is kept.
  private func path() -> (Int, StaticString)? { path(from: index) }

  private func path(from index: Int) -> (Int, StaticString)? {
    let isWindows =
      input[index].isLetter && input.at(index + 1) == UInt8(ascii: ":")
      && (input.at(index + 2) == UInt8(ascii: "\\") || input.at(index + 2) == UInt8(ascii: "/"))
    let isUnix =
      input[index] == UInt8(ascii: "/") && input.at(index + 1).isIdentifier
      || input.has("~/", at: index)
    guard isWindows || isUnix else { return nil }
    var end = isWindows ? index + 3 : index + 1
    var separators = isWindows ? 2 : 1
    while !isEndOfText(input.at(end)), input[end] != UInt8(ascii: ":") {
      if input[end] == UInt8(ascii: "/") || input[end] == UInt8(ascii: "\\") { separators += 1 }
      end += 1
    }
    while end > index, input[end - 1] == UInt8(ascii: ".") { end -= 1 }
    guard separators >= 2 else { return nil }
    // The extension is kept: the general loop writes it.
    var dot = end - 1
    while dot > index, input[dot].isIdentifier, end - dot <= 8 { dot -= 1 }
    return (
      input[dot] == UInt8(ascii: ".") && input.at(dot - 1) != UInt8(ascii: "/") ? dot : end,
      "<path>"
    )
  }

  private static let units: [NameBytes] = [
    "ms", "s", "sec", "secs", "second", "seconds", "us", "µs", "ns", "min", "mins", "minute",
    "minutes",
    "h", "hr", "hrs", "hour", "hours", "d", "day", "days", "B", "b", "byte", "bytes", "KB", "kB",
    "kb",
    "MB", "GB", "TB", "KiB", "MiB", "GiB", "TiB", "K", "M", "G", "%", "milliseconds",
    "microseconds",
    "bits", "Hz", "kHz", "MHz", "GHz", "px", "pt",
  ].map { Array($0.utf8) }

  /// Numbers, with a sign, a fraction, an exponent or a unit.
  private func number() -> (Int, StaticString)? {
    var start = index
    if input[index] == UInt8(ascii: "-") || input[index] == UInt8(ascii: "+") { start += 1 }
    guard input.at(start).isDigit else { return nil }
    if input.has("0x", at: start) || input.has("0X", at: start) {
      let end = hexRun(start + 2)
      return end > start + 2 && !input.at(end).isIdentifier ? (end, "<hex>") : nil
    }
    var end = input.digitsEnd(start)
    // `12,345.5e-3`
    while input.at(end) == UInt8(ascii: ","), input.digitsEnd(end + 1) == end + 4 { end += 4 }
    if input.at(end) == UInt8(ascii: "."), input.at(end + 1).isDigit {
      end = input.digitsEnd(end + 1)
    }
    if input.at(end) | 0x20 == UInt8(ascii: "e") {
      let exponent =
        input.at(end + 1) == UInt8(ascii: "-") || input.at(end + 1) == UInt8(ascii: "+")
        ? end + 2 : end + 1
      let next = input.digitsEnd(exponent)
      if next > exponent, !input.at(next).isIdentifier { return (next, "<num>") }
    }
    let gap = input.at(end) == 0x20 ? end + 1 : end
    var unit = gap
    while input.at(unit).isIdentifier || input.at(unit) == UInt8(ascii: "%") { unit += 1 }
    if unit > gap, Self.units.contains(where: { $0.elementsEqual(input[gap..<unit]) }) {
      return (unit, "<dur>")
    }
    if input.at(end).isIdentifier {
      // `3fa9c1d2` may be an address; `2nd` is a word.
      return nil
    }
    // A number with ten digits or more and no letters is still a number.
    return (end, "<num>")
  }

  private func hexadecimal() -> Int? {
    let end = hexRun(index)
    guard end - index >= 8, !input.at(end).isIdentifier,
      input[index..<end].contains(where: { $0.isDigit })
    else { return nil }
    return end
  }

  /// Base64: twenty characters or more with digits and letters of both cases.
  private func encoded() -> Int? {
    var end = index
    var hasDigit = false
    var hasUpper = false
    var hasLower = false
    while true {
      let byte = input.at(end)
      guard
        byte.isLetter || byte.isDigit || byte == UInt8(ascii: "+") || byte == UInt8(ascii: "/")
          || byte == UInt8(ascii: "=")
      else { break }
      if byte.isDigit { hasDigit = true }
      if byte.isLetter { if byte & 0x20 == 0 { hasUpper = true } else { hasLower = true } }
      end += 1
    }
    guard end - index >= 20, hasDigit, hasUpper, hasLower, !input.at(end).isIdentifier else {
      return nil
    }
    return end
  }
}
