internal import Bytes
internal import Identifiers

/// The times that loggers put before a line.
enum LineTime {
  private static let months = [
    "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
  ]
  private static let fullMonths = [
    "january", "february", "march", "april", "may", "june", "july", "august", "september",
    "october", "november", "december",
  ]
  private static let others = [
    "mon", "tue", "wed", "thu", "fri", "sat", "sun", "am", "pm", "utc", "gmt", "cet", "cest",
    "est", "edt", "pst", "pdt", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday",
    "sunday",
  ]
  private static let names = months + fullMonths + others
  /// The bytes of all names, each as one number: many words of a log are looked up.
  private static let numbers = Set(
    names.map { $0.utf8.reduce(UInt128(0)) { $0 << 8 | UInt128($1) } })
  /// For each letter that begins a name, a bit for each possible second letter: few words pass.
  private static let beginnings: [UInt32] = {
    var beginnings = [UInt32](repeating: 0, count: 32)
    for name in names {
      let letters = Array(name.utf8)
      beginnings[Int(letters[0] & 31)] |= 1 << UInt32(letters[1] & 31)
    }
    return beginnings
  }()

  /// Whether `word` names a month, a day or a zone.
  static func isName(_ word: RawSpan) -> Bool {
    guard (2...9).contains(word.byteCount), word.byte(0).isLetter,
      beginnings[Int(word.byte(0) & 31)] & 1 << UInt32(word.byte(1) & 31) != 0
    else { return false }
    var name: UInt128 = 0
    for index in 0..<word.byteCount {
      let byte = word.byte(index)
      guard byte.isLetter else { return false }
      name = name << 8 | UInt128(byte | 0x20)
    }
    return numbers.contains(name)
  }

  private static func month(_ text: String) -> Int? {
    let names = text.utf8.count == 3 ? months : fullMonths
    return names.firstIndex(of: text).map { $0 + 1 }
  }

  /// The first time with a date and a year in `prefix`; `nil` if there is none.
  ///
  /// Reads `2024-05-01T10:11:12.5Z`, `2024/05/01 10:11:12`, `01/May/2024:10:11:12 +0000`, `01-May-2024
  /// 10:11:12 UTC` and `Wed May 01 10:11:12.5 2024`. Without a zone it is taken as UTC.
  static func first(in prefix: RawSpan) -> Timestamp? {
    guard prefix.byteCount <= FormatLimits.prefixBytes else { return nil }
    let words = prefix.name.split { " []|\t()".contains($0) }.map(String.init)
    for (index, word) in words.enumerated() {
      let next = index + 1 < words.count ? words[index + 1] : ""
      if let time = read(word, next, words[(index + 1)...]) { return time }
    }
    return nil
  }

  private static func read(_ word: String, _ next: String, _ rest: ArraySlice<String>) -> Timestamp?
  {
    let trimmed = word.last.map { ":,;".contains($0) } ?? false ? String(word.dropLast()) : word
    if let time = Timestamp(trimmed) { return time }
    let isNextTime = next.utf8.count >= 5 && next.dropFirst(2).first == ":"
    if trimmed.utf8.count == 10, isNextTime {
      let date = String(trimmed.map { $0 == "/" || $0 == "." ? "-" : $0 })
      let zone = rest.dropFirst().first.flatMap { $0.first == "+" || $0.first == "-" ? $0 : nil }
      let time = next.hasSuffix(":") || next.hasSuffix(",") ? String(next.dropLast()) : next
      return Timestamp("\(date) \(time)\(zone ?? "")") ?? Timestamp("\(date) \(time)")
    }
    // `01/May/2024:10:11:12`, `01-May-2024`
    let parts = word.split { "/-:".contains($0) }.map(String.init)
    if parts.count >= 3, let day = Int(parts[0]), let month = month(parts[1].lowercased()),
      let year = Int(parts[2]), (1...31).contains(day), (1970...9999).contains(year)
    {
      let time = parts.count >= 6 ? parts[3...5].joined(separator: ":") : next
      let zone = parts.count >= 6 && (next.hasPrefix("+") || next.hasPrefix("-")) ? next : ""
      return Timestamp("\(iso(year, month, day)) \(time)\(zone)")
    }
    // `May 01 10:11:12.5 2024`
    if let month = month(word.lowercased()), let day = Int(next), (1...31).contains(day) {
      let after = rest.dropFirst()
      guard let time = after.first, let year = after.dropFirst().first.flatMap({ Int($0) }),
        (1970...9999).contains(year)
      else { return nil }
      return Timestamp("\(iso(year, month, day)) \(time)")
    }
    return nil
  }

  private static func iso(_ year: Int, _ month: Int, _ day: Int) -> String {
    "\(year)-\(month < 10 ? "0" : "")\(month)-\(day < 10 ? "0" : "")\(day)"
  }
}
