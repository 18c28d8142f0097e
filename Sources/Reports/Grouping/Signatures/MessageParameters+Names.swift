/// Digits that belong to a name, and identifiers of data.
extension MessageParameters {
  /// Standards whose numbers belong to their names.
  private static let standards: Set<NameBytes> = Set(
    [
      "UTF", "utf", "UCS", "ucs", "ISO", "iso", "IEC", "SHA", "sha", "SHA3", "sha3", "HMAC", "AES",
      "aes",
      "MD", "CRC", "crc", "CP", "cp", "RFC", "rfc", "HTTP", "http", "TLS", "TLSv1", "SSL", "DTLS",
      "IEEE",
      "MPEG", "ECMA", "IBM", "GB", "ANSI", "RSA", "ECDSA", "ECDH", "P", "USB", "SMB", "WPA", "H",
      "PKCS",
      "Base", "base", "BASE", "x86", "X86", "i386", "windows", "Windows", "latin", "Latin", "KOI",
      "BIG",
      "QUIC", "ARM", "armv7", "RISC", "POSIX", "Unicode",
    ].map { Array($0.utf8) })

  /// The end of `UTF-8`, `ISO-8859-1`, `HTTP/1.1`, `x86-64`, `H.264`; `nil` for anything else.
  func standard() -> Int? {
    guard input.at(index).isLetter else { return nil }
    var end = index
    while input.at(end).isLetter || input.at(end).isDigit, end - index < 8 { end += 1 }
    guard isJoined(end), Self.standards.contains(NameBytes(input[index..<end])) else { return nil }
    while isJoined(end) {
      end += 1
      while input.at(end).isLetter || input.at(end).isDigit { end += 1 }
    }
    // Text that continues as a path or a file name is not one of these.
    return input.at(end).isIdentifier || input.at(end) == UInt8(ascii: "/") ? nil : end
  }

  /// Whether a mark and a number of at most five digits are at `end`.
  private func isJoined(_ end: Int) -> Bool {
    switch input.at(end) {
    case UInt8(ascii: "-"), UInt8(ascii: "/"), UInt8(ascii: "."), UInt8(ascii: "#"):
      let digits = input.digitsEnd(end + 1)
      return digits > end + 1 && digits - end <= 6
    default: return false
    }
  }

  /// The last slash of `../../` before a relative path.
  func afterParents() -> Int? {
    guard input.at(index - 1) != UInt8(ascii: "."), input.at(index - 1) != UInt8(ascii: "/") else {
      return nil
    }
    var end = index
    while input.has("../", at: end) { end += 3 }
    return end > index && input.at(end).isIdentifier ? end - 1 : nil
  }

  /// The end of a duration of several units, as Go prints it: `1h2m3.5s`.
  func goDuration() -> Int? {
    var end = index
    var units = 0
    while input.at(end).isDigit {
      var next = input.digitsEnd(end)
      if input.at(next) == UInt8(ascii: "."), input.at(next + 1).isDigit {
        next = input.digitsEnd(next + 1)
      }
      guard
        let unit = (["h", "ms", "m", "s"] as [StaticString]).first(where: {
          input.has($0, at: next) && !input.at(next + $0.utf8CodeUnitCount).isLetter
        })
      else { return nil }
      end = next + unit.utf8CodeUnitCount
      units += 1
    }
    return units > 1 && !input.at(end).isIdentifier ? end : nil
  }

  // MARK: Identifiers of data

  /// The end of a quoted text without a blank and with a digit: `'AB-1234'`. A word is kept, as it may be the
  /// name of an argument.
  func quotedIdentifier() -> Int? {
    let mark = input[index]
    guard mark == UInt8(ascii: "'") || mark == UInt8(ascii: "\"") || mark == UInt8(ascii: "`")
    else {
      return nil
    }
    var end = index + 1
    var hasDigit = false
    while end - index < 80, input.at(end) != mark {
      guard input.at(end) > 0x20 else { return nil }
      if input[end].isDigit { hasDigit = true }
      end += 1
    }
    return input.at(end) == mark && hasDigit ? end + 1 : nil
  }

  /// The end of `db-3.tern.example:5432`: three names or more, and a port.
  func host() -> Int? {
    guard input.at(index).isLetter || input.at(index).isDigit else { return nil }
    var end = index
    var dots = 0
    while end - index < 255 {
      let byte = input.at(end)
      if byte == UInt8(ascii: ".") {
        dots += 1
      } else if !byte.isLetter, !byte.isDigit, byte != UInt8(ascii: "-") {
        break
      }
      end += 1
    }
    guard dots > 1, input.at(end) == UInt8(ascii: ":"), input[end - 1].isLetter else { return nil }
    let port = input.digitsEnd(end + 1)
    return (2...5).contains(port - end - 1) && !input.at(port).isIdentifier ? port : nil
  }

  /// The seven digits by which git names a commit, with a letter and a digit among them.
  func shortHash() -> Int? {
    var end = index
    var digits = 0
    while end - index < 8, input.at(end).isHexDigit {
      if input[end].isDigit { digits += 1 }
      end += 1
    }
    return end - index == 7 && digits > 0 && digits < 7 && !input.at(end).isIdentifier ? end : nil
  }

  /// The length kept of a word that ends with a number that is data, and the end of the number: `user_12345`,
  /// `IMG_0042`, `iPhone12,1`.
  func numbered(_ word: ArraySlice<UInt8>, endingAt end: Int) -> (kept: Int, end: Int)? {
    guard word.last?.isDigit == true, word.first?.isLetter == true else { return nil }
    var kept = word.count
    while kept > 0, word[word.startIndex + kept - 1].isDigit { kept -= 1 }
    let digits = word.count - kept
    // Apple's names of devices.
    if input.at(end) == UInt8(ascii: ","), input.at(end + 1).isDigit, digits < 3 {
      let number = input.digitsEnd(end + 1)
      if number - end < 4, !input.at(number).isIdentifier { return (kept, number) }
    }
    let before = word[word.startIndex + kept - 1]
    return digits >= (before == UInt8(ascii: "_") ? 3 : 5) ? (kept, end) : nil
  }
}
