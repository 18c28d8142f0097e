internal import Bytes
internal import CrashModel
internal import Identifiers

/// Modules and where they were loaded, in the markup of Fuchsia and LLVM and in their symbolizer's output.
struct FuchsiaModules {
  private(set) var images: [LoadedImage] = []
  private var indices: [UInt64: Int] = [:]

  /// Reads a line that names a module or a mapping.
  mutating func read(_ text: RawSpan) -> Bool {
    if text.has("dso: id=") { return readOld(text) }
    if text.has("[[[ELF module #") { return readSymbolized(text) }
    if text.has("{{{reset") {
      // The following modules are another process's.
      indices = [:]
      return true
    }
    guard let start = text.find("{{{module:") ?? text.find("{{{mmap:"),
      let end = text.find("}}}", from: start)
    else { return false }
    let words = text.between(start + 3, end).name.split(
      separator: ":", omittingEmptySubsequences: false)
    return words[0] == "module" ? readModule(words) : readMapping(words)
  }

  private mutating func add(_ image: LoadedImage, number: UInt64?) {
    guard images.count < FormatLimits.images else { return }
    images.append(image)
    if let number { indices[number] = images.count - 1 }
  }

  private static func image(_ name: String, buildID: String) -> LoadedImage {
    var image = LoadedImage(name: name.isEmpty ? "<application>" : name)
    image.codeID = CodeID(buildID)
    image.debugID = image.codeID.map { DebugID(buildID: $0.bytes) }
    return image
  }

  /// `module:0x0:libc.so:elf:55373f3efc6290df`.
  private mutating func readModule(_ words: [Substring]) -> Bool {
    guard words.count > 4, words[3] == "elf", let number = Self.number(words[1]) else {
      return false
    }
    add(Self.image(String(words[2]), buildID: String(words[4])), number: number)
    return true
  }

  /// `mmap:0x41fdf12d8000:0x2d000:load:0x0:rx:0x0`: the last is the address in the file.
  private mutating func readMapping(_ words: [Substring]) -> Bool {
    guard words.count > 4, words[3] == "load", let number = Self.number(words[4]),
      let index = indices[number], let start = Self.number(words[1]),
      let size = Self.number(words[2])
    else { return false }
    let end = start.addingReportingOverflow(size)
    guard !end.overflow else { return false }
    let old = images[index].base?.value ?? start
    let oldEnd = old.addingReportingOverflow(images[index].size ?? 0).partialValue
    let base = min(old, start)
    images[index].base = Address(base)
    images[index].size = max(end.partialValue, max(oldEnd, base)) - base
    return true
  }

  /// `[[[ELF module #0x1 "libc.so" BuildID=55373f3efc6290df 0x41fdf12d8000]]]`.
  private mutating func readSymbolized(_ text: RawSpan) -> Bool {
    guard let open = text.find("\""), let close = text.find("\" BuildID=", from: open + 1) else {
      return false
    }
    let id = text.from(close + 10)
    var image = Self.image(
      text.between(open + 1, close).name, buildID: id.upTo(id.find(32) ?? id.byteCount).name)
    var index = (id.find(32) ?? id.byteCount) + 1
    image.base = id.hexadecimal(at: &index).map { Address($0) }
    add(image, number: nil)
    return true
  }

  /// `dso: id=c9e63845b8cc355b base=0xffffffff00100000 name=zircon.elf`.
  private mutating func readOld(_ text: RawSpan) -> Bool {
    let words = text.name.split(separator: " ")
    func value(_ key: String) -> String? {
      words.first { $0.hasPrefix(key) }.map { String($0.dropFirst(key.count)) }
    }
    guard let id = value("id="), let name = value("name=") else { return false }
    var image = Self.image(name, buildID: id)
    image.base = value("base=").flatMap { Self.number($0[...]) }.map { Address($0) }
    add(image, number: nil)
    return true
  }

  static func number(_ text: Substring) -> UInt64? {
    text.hasPrefix("0x") ? UInt64(text.dropFirst(2), radix: 16) : UInt64(text)
  }
}

/// Finds the modules of frames.
struct FuchsiaModuleMap {
  private let images: [LoadedImage]
  private var byName: [String: Int] = [:]
  /// The images that have an address, sorted by it.
  private let byAddress: [Int]

  init(_ images: [LoadedImage]) {
    self.images = images
    for (index, image) in images.enumerated() where byName[image.name] == nil {
      byName[image.name] = index
    }
    byAddress = images.indices.filter { images[$0].base != nil }
      .sorted { (images[$0].base ?? Address(0)) < (images[$1].base ?? Address(0)) }
  }

  /// The image with `name`, or the one that contains `address`.
  func index(named name: String?, at address: UInt64?) -> Int? {
    if let name, let index = byName[name] { return index }
    guard let address else { return nil }
    let next = byAddress.lowerBound { (images[$0].base?.value ?? 0) <= address }
    guard next > 0 else { return nil }
    let index = byAddress[next - 1]
    return images[index].offset(of: Address(address)) == nil ? nil : index
  }
}

/// A frame in one of the forms of Fuchsia:
///
///     bt#00: 0xffffffff00105972                                           of old kernels
///     bt#02: [ inline ] fbl::Canary::Assert object/port.cpp:159           with names of syzkaller's
///     {{{bt:0:0xffffffff00105972:ra}}}                                    markup
///     #4.1  0x0000412c1365a36d in f(int) src/lib.rs:286 <libstd.so>+0xa236d    of its symbolizer
///     #18 f(…) • src/vfs.rs:803                                           of newer ones
struct FuchsiaFrameLine {
  var number: UInt64 = 0
  var address: UInt64?
  var position = CodePosition.returnAddress
  var function: String?
  var file: String?
  var line: Int?
  var module: String?
  var moduleOffset: UInt64?
  var isInlined = false
  /// `bt#04: end`.
  var isEnd = false

  init?(_ text: RawSpan) {
    guard text.byteCount < 8192 else { return nil }
    if text.has("bt#") {
      guard readOld(text) else { return nil }
    } else if let start = text.find("{{{bt:") {
      guard let end = text.find("}}}", from: start) else { return nil }
      readMarkup(text.between(start + 6, end).name)
    } else if text.byteOrZero(0) == UInt8(ascii: "#") {
      guard readSymbolized(text) else { return nil }
    } else {
      return nil
    }
    if address == nil, function == nil, !isEnd { return nil }
  }

  private mutating func readOld(_ text: RawSpan) -> Bool {
    var index = 3
    guard let number = text.decimal(at: &index), text.has(": ", at: index) else { return false }
    self.number = number
    let rest = text.from(index + 2).trimmed
    isEnd = rest.has("end")
    isInlined = rest.has("[ inline ] ")
    var start = isInlined ? 11 : 0
    if !isInlined { address = rest.hexadecimal(at: &start) }
    readNameAndLocation(rest.from(start).trimmed)
    return true
  }

  /// `0:0xffffffff00105972:ra`: `ra` is a return address, `pc` the instruction itself.
  private mutating func readMarkup(_ text: String) {
    let words = text.split(separator: ":")
    number = words.first.flatMap { FuchsiaModules.number($0) } ?? 0
    guard words.count > 1 else { return }
    address = FuchsiaModules.number(words[1])
    let kind = words.count > 2 ? words[2] : number == 0 ? "pc" : "ra"
    position = kind == "pc" ? .exact : .returnAddress
  }

  private mutating func readSymbolized(_ text: RawSpan) -> Bool {
    var index = 1
    guard let number = text.decimal(at: &index) else { return false }
    self.number = number
    if text.byteOrZero(index) == UInt8(ascii: ".") {
      index += 1
      guard text.decimal(at: &index) != nil else { return false }
      isInlined = true
    }
    guard text.byteOrZero(index).isBlank else { return false }
    var rest = text.from(index).trimmed
    var start = 0
    if let value = rest.hexadecimal(at: &start) {
      guard rest.has(" in ", at: start) else { return false }
      address = value
      rest = rest.from(start + 4)
      if let plus = rest.findLast(">+0x"), let open = rest.upTo(plus).findLast(" <") {
        module = rest.between(open + 2, plus).name
        var digits = plus + 2
        moduleOffset = rest.hexadecimal(at: &digits)
        rest = rest.upTo(open).trimmed
      }
      readNameAndLocation(rest)
      return true
    }
    guard let dot = rest.find(" • ") else { return false }
    function = rest.upTo(dot).name
    readLocation(rest.from(dot + 5).trimmed)
    return function?.isEmpty == false
  }

  /// `NAME FILE:LINE`; names have blanks.
  private mutating func readNameAndLocation(_ text: RawSpan) {
    guard text.byteCount > 0 else { return }
    guard let blank = text.findLast(32) else {
      function = text.name
      return
    }
    readLocation(text.from(blank + 1))
    function = line == nil && file == nil ? text.name : text.upTo(blank).trimmed.name
  }

  private mutating func readLocation(_ text: RawSpan) {
    let location = SourceLocation(text)
    guard location.hasNumber else { return }
    (file, line) = (location.file, location.line)
  }
}
