/// Names that compilers generate for unnamed code, without the numbers in them, which differ from build to
/// build.
///
/// Sources: Go's `cmd/compile` (`gowrap1`, `deferwrap1`, `-fm`, `-range1`), R8's `SyntheticNaming`, Kotlin's and
/// Scala's class files, Clojure's `gensym`, Groovy's closures, mcs and Roslyn, F#'s closures, `dmd`, Julia's
/// `gensym`, OCaml's stamps, Zig's `__anon_`, the abstract code of Erlang and Elixir.
enum GeneratedName {
  /// The spelling of a name of Smalltalk or of Erlang's machine, whose forms have other meanings in C++ and
  /// Java; `nil` for any other.
  static func spelled(_ name: NameBytes) -> NameBytes? {
    guard let last = name.last else { return nil }
    if last.isDigit, let slash = name.lastIndex(of: UInt8(ascii: "/")), slash > 0,
      name.digitsEnd(slash + 1) == name.count
    {
      return function(name, arity: slash)
    }
    return isSmalltalk(name) ? name : nil
  }

  /// `SmallInteger(Number)>>zeroDivide`, `Desk class>>charge:`.
  private static func isSmalltalk(_ name: NameBytes) -> Bool {
    guard let mark = name.find(">>"), mark > 0, mark + 2 < name.count,
      !name.contains(UInt8(ascii: "<")), !name.contains(UInt8(ascii: ",")),
      name.find("operator") == nil
    else { return false }
    let receiver = name[..<mark]
    return receiver[0].isLetter
      && receiver.allSatisfy {
        $0.isIdentifier || $0 == UInt8(ascii: ".") || $0 == 0x20 || $0 == UInt8(ascii: "(")
          || $0 == UInt8(ascii: ")") || $0 == UInt8(ascii: "[") || $0 == UInt8(ascii: "]")
      }
  }

  // MARK: Erlang and Elixir

  /// `desk:charge/2`, `Tern.Desk.charge/2`, `desk:'-charge/2-fun-0-'/1`: the arity is part of a name.
  private static func function(_ name: NameBytes, arity slash: Int) -> NameBytes? {
    // What Java puts after a slash is a number, too: `Cart$$Lambda/123`.
    guard name.find("$$") == nil else { return nil }
    var name = name
    if let last = name.findLast(" in ") { name = name.from(last + 4) }
    guard !name.contains(0x20) else { return nil }
    // `-charge/2-fun-0-`, `-charge/2-lc$^0/1-1-`, `-charge/2-anonymous-1-`
    if let open = name.firstIndex(of: UInt8(ascii: "-")), open == 0 || !name[open - 1].isIdentifier,
      let inner = name[open...].firstIndex(of: UInt8(ascii: "/"))
    {
      let end = name.digitsEnd(inner + 1)
      if end > inner + 1, name.at(end) == UInt8(ascii: "-") {
        let module = name[..<open].filter { $0 != UInt8(ascii: "'") }
        return module + name[(open + 1)..<end] + Array("{closure}".utf8)
      }
    }
    // escript: `NAME__escript__1759__1472__304438__2307:main/1`
    if let mark = name.find("__escript__"), let colon = name.firstIndex(of: UInt8(ascii: ":")),
      colon > mark,
      name[(mark + 11)..<colon].allSatisfy({ $0.isDigit || $0 == UInt8(ascii: "_") })
    {
      var stem = NameBytes(name[..<mark])
      if stem.ends(with: "_escript") { stem.removeLast(8) }
      name = stem + name[colon...]
    }
    return name
  }

  // MARK: Numbers

  /// The characters of a name that indicate a generated one.
  private struct Signs {
    var digit = false, dollar = false, underscores = false, at = false, special = false

    init(_ name: NameBytes) {
      var previous: UInt8 = 0
      for byte in name {
        if byte.isDigit {
          digit = true
        } else if byte == UInt8(ascii: "$") {
          dollar = true
        } else if byte == UInt8(ascii: "_") {
          if previous == byte { underscores = true }
        } else if byte == UInt8(ascii: "@") {
          at = true
        } else if byte == UInt8(ascii: "-") || byte == UInt8(ascii: "#") {
          special = true
        } else if previous == UInt8(ascii: ">"),
          byte == UInt8(ascii: "m") || byte == UInt8(ascii: "c")
        {
          special = true
        }
        previous = byte
      }
    }
  }

  /// Removes the numbers from a name that is spelled already.
  static func shorten(_ name: inout NameBytes) {
    let signs = Signs(name)
    if signs.special { shortenSpecial(&name) }
    // Before Go 1.21, initialisers of variables had a package of their own.
    if name.ends(with: "glob..{closure}") {
      name.removeLast(15)
      name.append("init.{closure}")
    }
    guard signs.digit || signs.dollar else { return }
    if signs.dollar { shortenDollars(&name) }
    guard signs.digit else { return }
    if signs.underscores {
      for word: StaticString in [
        "__lambda", "__dgliteral", "__foreachbody", "__funcliteral", "fn__", "reify__",
      ] {
        dropDigits(after: word, in: &name)
      }
      if let mark = name.findLast("__anon_"), mark > 0, name.digitsEnd(mark + 7) == name.count,
        mark + 7 < name.count
      {
        name.cut(at: mark)
      }
      // `camlDesk__charge_270`
      if name.has("caml"), let mark = name.lastIndex(of: UInt8(ascii: "_")), mark + 1 < name.count,
        name.digitsEnd(mark + 1) == name.count
      {
        name.cut(at: mark)
      }
    }
    if signs.at { shortenClosure(&name) }
    let endsWithNumber = name.last?.isDigit ?? false
    for word: StaticString in [".gowrap", ".deferwrap", "\u{B7}dwrap\u{B7}"] where endsWithNumber {
      if let mark = name.findLast(word), mark > 0,
        name.digitsEnd(mark + word.utf8CodeUnitCount) == name.count
      {
        name.cut(at: mark)
        name.append(".{closure}")
      }
    }
    dropDigits(after: "_closure", in: &name)
    if name.has("lambda_method") || name.find(".lambda_method") != nil {
      dropDigits(after: "lambda_method", in: &name)
    }
  }

  /// Go's `total-fm` and `total-range2`, Julia's `#total#12` and `#3#4`, mcs's `<Main>m__2`, Kotlin's `lambda-3`.
  private static func shortenSpecial(_ name: inout NameBytes) {
    if name.ends(with: "-fm"), name.contains(UInt8(ascii: ".")) { name.removeLast(3) }
    if let mark = name.findLast("-range"), mark > 0, name.at(mark + 6).isDigit,
      name.digitsEnd(mark + 6) == name.count
    {
      name.cut(at: mark)
    }
    if let mark = name.find("$lambda-"), name.at(mark + 8).isDigit {
      let end = name.digitsEnd(mark + 8)
      name.replaceSubrange((mark + 7)..<end, with: [])
    }
    if name.at(0) == UInt8(ascii: "#") {
      let parts = name.split(separator: UInt8(ascii: "#"))
      if let word = parts.first(where: { !$0.allSatisfy { $0.isDigit } }) {
        name = NameBytes(word)
      } else if !parts.isEmpty {
        name = Array("{closure}".utf8)
      }
    }
    if let close = name.find(">m__") ?? name.find(">c__"), name.at(close + 4) != 0 {
      let isMethod = name[close + 1] == UInt8(ascii: "m")
      let open = name[..<close].lastIndex(of: UInt8(ascii: "<"))
      if let open, open + 1 < close {
        let method = name[..<open] + name[(open + 1)..<close]
        // `<Load>c__Iterator0.MoveNext` is the method itself, `<Main>c__AnonStorey0.<>m__1` a lambda in it.
        name =
          NameBytes(method) + (isMethod || name.find("<>m__") != nil ? Array(".{lambda}".utf8) : [])
      }
    }
  }

  private static func shortenDollars(_ name: inout NameBytes) {
    // R8: the class is a number or the hash of the outlined code.
    if let mark = name.find("$r8$lambda$") {
      let end = name[(mark + 11)...].firstIndex(of: UInt8(ascii: ".")) ?? name.count
      name.replaceSubrange((mark + 10)..<end, with: [])
    }
    for word: StaticString in ["$$ExternalSynthetic", "$$InternalSynthetic"] {
      guard let mark = name.find(word) else { continue }
      var end = mark + word.utf8CodeUnitCount
      while name.at(end).isLetter { end += 1 }
      let rest = name[end...].firstIndex(of: UInt8(ascii: ".")) ?? name.count
      name.replaceSubrange(end..<rest, with: [])
    }
    if let mark = name.find("lambda"),
      name.at(mark - 1) == UInt8(ascii: "$")
        || name.at(mark + 6) == UInt8(ascii: "$")
    {
      spellLambda(&name)
    }
    // Clojure: `tern.core$eval1234$fn.invoke`
    dropDigits(after: "$eval", in: &name)
  }

  /// One lambda of `onCreate`, by whichever compiler: javac's `lambda$onCreate`, D8's
  /// `lambda$onCreate$$com-tern-Main`, Kotlin's `onCreate$lambda$` and `access$onCreate$lambda`.
  private static func spellLambda(_ name: inout NameBytes) {
    let start = name.lastIndex(of: UInt8(ascii: ".")).map { $0 + 1 } ?? 0
    if name.has("lambda$", at: start) {
      if let end = name.find("$$", from: start), end > start + 7 { name.cut(at: end) }
      return
    }
    guard let mark = name.find("$lambda", from: start), mark > start,
      !name.at(mark + 7).isIdentifier
    else { return }
    let method = name.has("access$", at: start) && mark > start + 7 ? start + 7 : start
    name = name[..<start] + Array("lambda$".utf8) + name[method..<mark]
  }

  /// A Rust name of the old scheme whose escapes a tool left in it:
  /// `_$LT$tern..Cart$u20$as$u20$tern..Sum$GT$::total`; `nil` for any other.
  static func unescaped(_ name: NameBytes) -> NameBytes? {
    guard name.contains(UInt8(ascii: "$")),
      name.find("$LT$") != nil || name.find("$RF$") != nil || name.find("$BP$") != nil
        || name.find("$u7b$") != nil
    else { return nil }
    var output = NameBytes()
    var index = name.has("_$") ? 1 : 0
    scan: while index < name.count {
      if name.has("..", at: index) {
        output.append("::")
        index += 2
        continue
      }
      if name[index] == UInt8(ascii: "$") {
        for (escape, text) in escapes where name.has(escape, at: index) {
          output.append(text)
          index += escape.utf8CodeUnitCount
          continue scan
        }
        let end = index + 4
        if name.at(index + 1) == UInt8(ascii: "u"), name.at(end) == UInt8(ascii: "$"),
          let byte = UInt8(NameBytes(name[(index + 2)..<end]).text, radix: 16), 0x20..<0x7f ~= byte
        {
          output.append(byte)
          index = end + 1
          continue
        }
      }
      output.append(name[index])
      index += 1
    }
    return output
  }

  private static let escapes: [(StaticString, StaticString)] = [
    ("$LT$", "<"), ("$GT$", ">"), ("$RF$", "&"), ("$BP$", "*"), ("$SP$", "@"), ("$LP$", "("),
    ("$RP$", ")"), ("$C$", ","),
  ]

  /// F#: `Desk.charge@12-3.Invoke`, with the line in the name.
  private static func shortenClosure(_ name: inout NameBytes) {
    guard let at = name.firstIndex(of: UInt8(ascii: "@")), at > 0, name.at(at + 1).isDigit,
      name.contains(UInt8(ascii: "."))
    else { return }
    var end = name.digitsEnd(at + 1)
    if name.at(end) == UInt8(ascii: "-"), name.at(end + 1).isDigit { end = name.digitsEnd(end + 1) }
    guard end == name.count || name[end] == UInt8(ascii: ".") else { return }
    name.cut(at: at)
    name.append(".{lambda}")
  }

  private static func dropDigits(after word: StaticString, in name: inout NameBytes) {
    var start = 0
    while let mark = name.find(word, from: start) {
      let digits = mark + word.utf8CodeUnitCount
      let end = name.digitsEnd(digits)
      let next = name.at(end)
      if end > digits, next == 0 || !next.isIdentifier {
        name.replaceSubrange(digits..<end, with: [])
      }
      start = digits
    }
  }
}
