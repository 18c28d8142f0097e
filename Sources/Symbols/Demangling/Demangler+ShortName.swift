extension Demangler {
  /// The name of a function as its source declares it: `area` for `int Shape::area(int) const`, with the
  /// arguments of a template. A name that is not mangled stays unchanged.
  ///
  /// Threads that call this need a stack of 8 MiB.
  public static func shortName(_ raw: String) -> String {
    var raw = raw
    return raw.withUTF8 { bytes in
      let whole = unsafe String(decoding: bytes, as: UTF8.self)
      guard let scheme = unsafe ManglingScheme(of: bytes), unsafe !bytes.contains(0),
        bytes.count <= scheme.nameLimit
      else { return whole }
      let name = unsafe UnsafeBufferPointer(rebasing: bytes[scheme.skipped...])
      switch scheme.language {
      case .swift: return unsafe SwiftDemangler.demangle(name).map(SwiftShortName.name) ?? whole
      case .rust: return unsafe rust(MangledStem(name).stem).map(lastPart) ?? whole
      case .dMain: return dMain
      case .cxx:
        if let stem = unsafe RustHash.stem(of: name), let text = unsafe rust(stem) {
          return lastPart(of: text)
        }
        return unsafe cxx(name, as: .short) ?? whole
      case .microsoft:
        return unsafe MicrosoftDemangler.demangle(name, as: .short, limit: outputLimit) ?? whole
      }
    }
  }

  /// The text after the last `::` outside brackets in a Rust name, followed by the arguments: `parse<u8>` for
  /// `unit::parse::<u8>`.
  private static func lastPart(of text: String) -> String {
    let bytes = Array(text.utf8)
    var start = 0
    var depth = 0
    var index = 0
    var turbofish: Int?
    while index < bytes.count {
      let byte = bytes[index]
      if byte == UInt8(ascii: ":"), depth == 0, index + 1 < bytes.count,
        bytes[index + 1] == UInt8(ascii: ":")
      {
        let isTurbofish = index + 2 < bytes.count && bytes[index + 2] == UInt8(ascii: "<")
        if isTurbofish {
          turbofish = index
        } else {
          start = index + 2
          turbofish = nil
        }
        index += 2
        continue
      }
      switch byte {
      case UInt8(ascii: "<"), UInt8(ascii: "("), UInt8(ascii: "["), UInt8(ascii: "{"): depth += 1
      case UInt8(ascii: ">") where index > 0 && bytes[index - 1] == UInt8(ascii: "-"): break
      case UInt8(ascii: ">"), UInt8(ascii: ")"), UInt8(ascii: "]"), UInt8(ascii: "}"):
        depth = max(depth - 1, 0)
      default: break
      }
      index += 1
    }
    guard let turbofish, turbofish > start else {
      return String(decoding: bytes[start...], as: UTF8.self)
    }
    return String(decoding: bytes[start..<turbofish] + bytes[(turbofish + 2)...], as: UTF8.self)
  }
}
