internal import Bytes

/// Prefixes of well-known loggers, which are recognised in a single line, whatever is next to it.
///
///     web-1  | …                                   docker compose, foreman, pm2
///     2024-05-01T10:11:12Z stderr F …              CRI
///     May 01 10:11:12 host app[42]: …              syslog, the journal, Heroku
///     May 01 10:11:12 host app: …                  the same without the process
///     2024-05-01T10:11:12Z app[148e] fra [info]…   Fly
///     2024-05-01T10:11:12Z [APP/PROC/WEB/0] ERR …  Cloud Foundry
///     2024-05-01T10:11:12Z web/app/1f2e3d4c5b6a …  CloudWatch
///     2024-05-01T10:11:12Z 01E …                   GitLab
///     E/flutter ( 9437): …                         Android's log
///     [pod/web-5/app] …                            kubectl
///     web-5d8f9c7b6-x2x4z app …                    stern; kubetail puts it in brackets
///     test⇥Run tests⇥2024-05-01T10:11:12Z …        GitHub's `gh run view --log`
enum KnownPrefix {
  /// The length of such a prefix at the start of `head`, with one blank after it; 0 for none.
  ///
  /// - Parameter time: The length of the times before it.
  static func end(of head: RawSpan, after time: Int) -> Int {
    let end = time == 0 ? named(head) : timed(head, from: time)
    return end > 0 && head.byteOrZero(end).isBlank ? end + 1 : end
  }

  private static func word(_ text: RawSpan, from start: Int) -> Range<Int> {
    let first = text.skippingBlanks(from: start)
    var end = first
    while end < text.byteCount, !text.byte(end).isBlank { end += 1 }
    return first..<end
  }

  /// The length of a prefix without a time.
  private static func named(_ text: RawSpan) -> Int {
    guard !text.byteOrZero(0).isBlank else { return 0 }
    let first = word(text, from: 0)
    let second = word(text, from: first.upperBound)
    let start = text.part(first)
    if isService(start), isBar(text.part(second)) { return second.upperBound }
    if isStream(start, text.part(second)) { return second.upperBound }
    if isLogStream(start) { return first.upperBound }
    if let end = ofAndroid(text) { return end }
    if start.has("[pod/"), start.ends(with: "]") { return first.upperBound }
    if start.has("["), isPod(start.from(1)), text.part(second).ends(with: "]") {
      return second.upperBound
    }
    if isPod(start), isContainer(text.part(second)) { return second.upperBound }
    return ofStep(text)
  }

  /// The length of a prefix after a time.
  private static func timed(_ text: RawSpan, from time: Int) -> Int {
    let first = word(text, from: time)
    let second = word(text, from: first.upperBound)
    let (one, two) = (text.part(first), text.part(second))
    if isProcess(one) {
      guard !one.has("app[") || one.ends(with: ":") else { return 0 }
      return first.upperBound
    }
    if isService(one), isBar(two) { return second.upperBound }
    if isStream(one, two) { return second.upperBound }
    if isHost(one), isProcess(two) || isTag(two) && text.byteOrZero(0).isLetter {
      return second.upperBound
    }
    if one.has("["), one.ends(with: "]"), one.find(UInt8(ascii: "/")) != nil,
      two.has("ERR") && two.byteCount == 3 || two.has("OUT") && two.byteCount == 3
    {
      return second.upperBound
    }
    if isLogStream(one) || isGitLab(one) { return first.upperBound }
    if one.has("app["), one.ends(with: "]"), two.byteCount == 3, isContainer(two) {
      let level = text.skippingBlanks(from: second.upperBound)
      guard text.byteOrZero(level) == UInt8(ascii: "["),
        let close = text.find(UInt8(ascii: "]"), from: level), close - level < 12
      else { return 0 }
      return close + 1
    }
    return 0
  }

  /// `E/flutter ( 9437):`
  static func ofAndroid(_ text: RawSpan) -> Int? {
    guard text.byteOrZero(0).isOne(of: "VDIWEF"), text.byteOrZero(1) == UInt8(ascii: "/"),
      let open = text.upTo(64).find(UInt8(ascii: "(")), open > 2
    else { return nil }
    var end = text.skippingBlanks(from: open + 1)
    guard text.decimal(at: &end) != nil, text.has("):", at: end) else { return nil }
    return end + 2
  }

  /// The job and its step with tabs after them, if a time follows.
  private static func ofStep(_ text: RawSpan) -> Int {
    guard let job = text.find(9), job > 0, let step = text.find(9, from: job + 1), step > job + 1,
      // `2024-05-01T10:11:12`
      text.byteOrZero(step + 11) == UInt8(ascii: "T"), text.byteOrZero(step + 1).isDigit,
      text.byteOrZero(step + 14) == UInt8(ascii: ":")
    else { return 0 }
    return step
  }

  /// `web-1`, `0|web`, `web.1.k2x@node`: names of services, which contain letters.
  private static func isService(_ word: RawSpan) -> Bool {
    guard word.byteOrZero(0).isLetter || word.byteOrZero(0).isDigit else { return false }
    var hasLetter = false
    for index in 0..<word.byteCount {
      let byte = word.byte(index)
      if byte.isLetter {
        hasLetter = true
      } else if !byte.isDigit, !byte.isOne(of: "-_./|@") {
        return false
      }
    }
    return hasLetter
  }

  private static func isBar(_ word: RawSpan) -> Bool { word.byteCount == 1 && word.has("|") }

  /// `stderr F`
  private static func isStream(_ one: RawSpan, _ two: RawSpan) -> Bool {
    (one.has("stderr") || one.has("stdout")) && one.byteCount == 6 && two.byteCount == 1
      && (two.has("F") || two.has("P"))
  }

  private static func isHost(_ word: RawSpan) -> Bool {
    word.byteCount > 0 && word.find(UInt8(ascii: "[")) == nil && !word.ends(with: ":")
  }

  /// `app[42]:`, `app[worker.1]:`; but not systemd's core handler, whose reader knows its lines.
  private static func isProcess(_ word: RawSpan) -> Bool {
    guard word.ends(with: "]:"), !word.has("systemd-coredump["),
      let open = word.find(UInt8(ascii: "[")), open > 0, open < word.byteCount - 3
    else { return false }
    return word.byte(0).isLetter || word.byte(0) == UInt8(ascii: "(")
      || word.byte(0) == UInt8(ascii: "/")
  }

  /// `app:`, but not the kernel, whose reader knows its lines.
  private static func isTag(_ word: RawSpan) -> Bool {
    word.byteCount > 1 && word.ends(with: ":") && isTagName(word.upTo(word.byteCount - 1))
      && !word.has("kernel")
  }

  private static func isTagName(_ word: RawSpan) -> Bool {
    for index in 0..<word.byteCount {
      let byte = word.byte(index)
      guard byte.isDigit || byte.isLetter && byte >= UInt8(ascii: "a") || byte.isOne(of: "-_.")
      else { return false }
    }
    return word.byteOrZero(0).isLetter
  }

  /// `web/app/1f2e3d4c5b6a`
  private static func isLogStream(_ word: RawSpan) -> Bool {
    guard let last = word.findLast(UInt8(ascii: "/")), word.upTo(last).find("/") != nil else {
      return false
    }
    var index = last + 1
    while index < word.byteCount, word.byte(index).hexadecimalDigit != nil { index += 1 }
    return index == word.byteCount && index > last + 12 && word.byte(0).isLetter
  }

  /// `01E`, `00O+`
  private static func isGitLab(_ word: RawSpan) -> Bool {
    guard word.byteCount == 3 || word.byteCount == 4 && word.ends(with: "+") else { return false }
    return word.byte(0).hexadecimalDigit != nil && word.byte(1).hexadecimalDigit != nil
      && word.byte(2).isOne(of: "EO")
  }

  /// `web-5d8f9c7b6-x2x4z`, with the two parts that Kubernetes adds to the name of a deployment.
  private static func isPod(_ word: RawSpan) -> Bool {
    guard let last = word.findLast(UInt8(ascii: "-")), word.byteCount - last == 6,
      let before = word.findLast(UInt8(ascii: "-"), before: last), before > 0,
      (9...11).contains(last - before), isContainer(word)
    else { return false }
    for index in (before + 1)..<last where word.byte(index).isDigit { return true }
    return false
  }

  /// Lower-case letters, digits and hyphens.
  private static func isContainer(_ word: RawSpan) -> Bool {
    for index in 0..<word.byteCount {
      let byte = word.byte(index)
      guard byte.isDigit || byte.isLetter && byte >= UInt8(ascii: "a") || byte == 0x2D else {
        return false
      }
    }
    return word.byteCount > 0
  }
}
