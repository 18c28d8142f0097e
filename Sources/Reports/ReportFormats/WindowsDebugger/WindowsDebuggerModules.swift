internal import Bytes
internal import CrashModel
internal import Identifiers

/// The modules of a program as the debuggers of Windows print them:
///
///     ModLoad: 00007ff7`80350000 00007ff7`80418000   C:\tern\tern.exe
///     00007ff7`80350000 00007ff7`80418000   tern   C (pdb symbols)   c:\tern\tern.pdb        lm
///         Timestamp:        Thu Sep 10 10:23:40 2015 (55F1BF4C)                              lmv
///         ImageSize:        000C8000
struct WindowsDebuggerModules {
  private(set) var images: [LoadedImage] = []
  /// Indices of modules by the name before `!`, in lower case.
  private var byName: [String: Int] = [:]
  private var byBase: [UInt64: Int] = [:]
  /// The module of the current lines of `lmv`.
  private var last: Int?
  private var timestamp: String?
  private var notedName: String?

  /// Reads a line that is about a module.
  mutating func read(_ text: RawSpan) -> Bool {
    if text.has("ModLoad: ") { return readRange(text.from(9), isLoad: true) }
    if text.has("Image path: ") {
      if let last { images[last].path = text.from(12).trimmed.name }
      return last != nil
    }
    if text.has("Timestamp: "), text.ends(with: ")"), let open = text.findLast(UInt8(ascii: "(")) {
      timestamp = text.between(open + 1, text.byteCount - 1).name
      return true
    }
    if text.has("ImageSize: "), let last, let time = timestamp {
      let size = text.from(11).trimmed.name.drop { $0 == "0" }
      images[last].codeID = CodeID(time.uppercased() + size.lowercased())
      timestamp = nil
      return true
    }
    return readRange(text, isLoad: false)
  }

  /// Two addresses, and a path or a name with its symbols.
  private mutating func readRange(_ text: RawSpan, isLoad: Bool) -> Bool {
    let words = text.upTo(64)
    guard let blank = words.find(32), let start = WindowsDebuggerParser.number(words.upTo(blank))
    else {
      return false
    }
    let next = text.skippingBlanks(from: blank)
    guard let end = text.find(32, from: next), end - next == blank, blank == 8 || blank == 17,
      let stop = WindowsDebuggerParser.number(text.between(next, end)), stop > start
    else { return false }
    let rest = text.from(end).trimmed
    // Rows of stacks begin with two addresses, too.
    guard isLoad || rest.contains("(deferred)") || rest.contains(" symbols)") else { return false }
    let path = isLoad ? rest.name : rest.upTo(rest.find(32) ?? rest.byteCount).name
    add(path, start, stop - start)
    return true
  }

  private mutating func add(_ path: String, _ base: UInt64, _ size: UInt64) {
    let file = path.split(separator: "\\").last.map(String.init) ?? path
    let key = Self.key(file)
    if let known = byBase[base] {
      // `lm` lists modules that were loaded before.
      last = known
      byName[key] = byName[key] ?? known
      return
    }
    guard images.count < FormatLimits.images, !file.isEmpty else { return }
    images.append(
      LoadedImage(
        name: file, path: path.contains("\\") ? path : nil, base: Address(base), size: size))
    last = images.count - 1
    byBase[base] = images.count - 1
    byName[key] = images.count - 1
    // If two modules have one name, the second has its address in the name.
    byName[key + "_" + String(base, radix: 16)] = images.count - 1
  }

  /// The name before `!`: the file name without its extension, with underscores in place of other characters.
  private static func key(_ file: String) -> String {
    var stem = file[...]
    if let dot = stem.lastIndex(of: "."), dot > stem.startIndex,
      file.hasSuffix(".dll")
        || file.hasSuffix(".DLL") || file.lowercased().hasSuffix(".exe")
        || file.lowercased().hasSuffix(".sys") || file.lowercased().hasSuffix(".drv")
    {
      stem = stem[..<dot]
    }
    return String(
      stem.lowercased().map { $0.isLetter || $0.isNumber || $0 == "_" ? $0 : "_" })
  }

  /// `MODULE_NAME: tern`, before `IMAGE_NAME:  tern.exe`.
  mutating func note(name: String) { notedName = name }

  /// The file of the module that was named.
  mutating func note(fileName: String) {
    guard let name = notedName else { return }
    notedName = nil
    // A synthetic module has the same name in both.
    guard fileName.contains("."), byName[name.lowercased()] == nil,
      images.count < FormatLimits.images
    else { return }
    images.append(LoadedImage(name: fileName))
    byName[name.lowercased()] = images.count - 1
  }

  /// The image of a module, which is added if it was not announced.
  mutating func index(of module: String) -> Int? {
    let key = module.lowercased()
    if let index = byName[key] { return index }
    guard images.count < FormatLimits.images else { return nil }
    // `ntdll_77060000`
    var name = module
    var base: UInt64?
    if let underscore = module.lastIndex(of: "_"),
      module.distance(from: underscore, to: module.endIndex) >= 8,
      let address = UInt64(module[module.index(after: underscore)...], radix: 16)
    {
      name = String(module[..<underscore])
      base = address
      if name.lowercased() == "ntdll" { name += ".dll" }
      if let index = byBase[address] {
        byName[key] = index
        return index
      }
    }
    images.append(LoadedImage(name: name, base: base.map { Address($0) }))
    byName[key] = images.count - 1
    return images.count - 1
  }
}
