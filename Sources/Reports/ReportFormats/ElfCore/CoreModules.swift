internal import Bytes
internal import CrashModel
internal import Identifiers

/// The programs and libraries of a core: its mapped files, or the loader's list if there are none, and the
/// vDSO.
struct CoreModules {
  private(set) var images: [LoadedImage] = []
  /// The number of mapped modules, including those over the limit.
  private var moduleCount = 0
  /// The image that the process was started with, as an index.
  private(set) var program: Int?
  private(set) var notes: [String] = []
  /// The version of the system's kernel, from the vDSO.
  private(set) var kernelVersion: String?
  private let file: CoreFile
  private let process: CoreProcess
  private let memory: ProcessMemory
  private var numbers: CoreNumbers { file.numbers }

  init(_ file: CoreFile, _ process: CoreProcess, _ memory: ProcessMemory) {
    self.file = file
    self.process = process
    self.memory = memory
    readMappings()
    if images.isEmpty { readLoaderList() }
    readVDSO()
    findProgram()
    let count = max(moduleCount, images.count)
    if count > CoreFile.Limits.modules {
      notes.append("the core has \(count) modules; \(CoreFile.Limits.modules) of them were read")
      images.removeLast(max(0, images.count - CoreFile.Limits.modules))
    }
  }

  // MARK: Mapped files

  /// A file whose mappings are being collected.
  private struct Module {
    let path: String
    let start: UInt64
    /// The base of the loaded segments, if the core has the headers.
    let base: UInt64?
    let size: UInt64?
    let hasHeaders: Bool
    var end: UInt64
    var lastOffset: UInt64
    var isExecutable: Bool

    /// Whether another part of the file belongs to the same module.
    func holds(_ mapping: CoreProcess.Mapping) -> Bool {
      if let base, let size {
        return mapping.start >= base && mapping.start - base < size
      }
      return mapping.offset > lastOffset || mapping.start == end && mapping.offset == lastOffset
    }
  }

  /// Groups the mappings by file. Data files are mapped too: they have neither the headers of a program nor
  /// executable memory.
  private mutating func readMappings() {
    let code = file.segments.filter { $0.isMemory && $0.isExecutable }
      .sorted { ($0.address, $0.end) < ($1.address, $1.end) }
    func isExecutable(_ mapping: CoreProcess.Mapping) -> Bool {
      let index = code.lowerBound { $0.address < mapping.end }
      return index > 0 && code[index - 1].end > mapping.start
    }
    var modules: [Module] = []
    var open: [String: Int] = [:]
    var left = CoreFile.Limits.allModuleSegments
    for mapping in process.mappings.sorted(by: { ($0.start, $0.end) < ($1.start, $1.end) }) {
      if let index = open[mapping.path], modules[index].holds(mapping) {
        modules[index].end = max(modules[index].end, mapping.end)
        modules[index].lastOffset = mapping.offset
        if isExecutable(mapping) { modules[index].isExecutable = true }
        continue
      }
      open[mapping.path] = modules.count
      let start = mapping.start &- mapping.offset
      var image: CoreImage?
      if left > 0, CoreImage.isFile(at: start, in: memory, numbers) {
        image = CoreImage(at: start, in: memory, numbers)
        left -= image?.segments.count ?? CoreFile.Limits.moduleSegments
      }
      modules.append(
        Module(
          path: mapping.path, start: start, base: image?.base, size: image?.size,
          hasHeaders: image != nil, end: mapping.end, lastOffset: mapping.offset,
          isExecutable: isExecutable(mapping)))
    }
    modules.removeAll { !$0.isExecutable && !$0.hasHeaders }
    moduleCount = modules.count
    for module in modules.prefix(CoreFile.Limits.modules) {
      let base = module.base ?? module.start
      add(
        path: module.path, base: base, size: module.size ?? module.end &- base,
        module.hasHeaders ? CoreImage(at: module.start, in: memory, numbers) : nil)
    }
  }

  private mutating func add(path: String, base: UInt64, size: UInt64?, _ image: CoreImage?) {
    // The kernel's mark for a deleted file.
    let deleted = " (deleted)"
    let path = path.hasSuffix(deleted) ? String(path.dropLast(deleted.count)) : path
    let name = path.split(separator: "/").last.map(String.init) ?? path
    var loaded = LoadedImage(
      name: name, path: path.contains("/") ? path : nil,
      architecture: file.machine.architecture(numbers), base: Address(base), size: size)
    image?.eachNote { note in
      if note.owner == "FDO", note.type == .package, loaded.package == nil {
        loaded.package = ImagePackage(note: note.content)
      }
      if note.owner == "GNU", note.type == .buildID, loaded.codeID == nil {
        let id = note.content.array
        guard id.contains(where: { $0 != 0 }) else { return }
        loaded.codeID = CodeID(id)
        loaded.debugID = numbers.endianness == .little ? DebugID(buildID: id) : DebugID(uuid: id)
      }
    }
    images.append(loaded)
  }

  // MARK: The loader's list

  /// The main program's dynamic section names the loader's list of modules; if the core lacks it, the list is
  /// recognised in the memory that the loader writes.
  ///
  /// Source: `struct r_debug` and `struct link_map` in `link.h` of glibc; all systems have the same.
  private mutating func readLoaderList() {
    let main = mainImage
    var first = main?.dynamicValue(21).flatMap { memory.word(at: $0 &+ UInt64(numbers.wordSize)) }
    if first == nil || first == 0 { first = foundList() }
    guard let first, first != 0 else {
      // A program without libraries has no loader.
      if let base = main?.base ?? programBase(0) {
        add(path: programPath, base: base, size: main?.size, main)
        measureImages()
      }
      return
    }
    defer { measureImages() }
    var entry = first
    var seen: Set<UInt64> = []
    while entry != 0, seen.insert(entry).inserted, seen.count <= CoreFile.Limits.modules {
      guard let bias = listWord(entry, 0) else {
        notes.append("the loader's list of modules leads out of the core")
        return
      }
      let path = listWord(entry, 1).flatMap { memory.text(at: $0, limit: FormatLimits.nameBytes) }
      add(loaded: path ?? "", bias: bias, isProgram: entry == first, main)
      entry = listWord(entry, 3) ?? 0
    }
    if entry != 0 { notes.append("the loader's list of modules does not end") }
  }

  /// Gives images without headers in the core the size of the memory that follows their base without a gap, up
  /// to the next image.
  private mutating func measureImages() {
    var runs: [(start: UInt64, end: UInt64)] = []
    for part in file.segments.filter(\.isMemory).sorted(by: { $0.address < $1.address }) {
      if let last = runs.last, part.address <= last.end {
        runs[runs.count - 1].end = max(last.end, part.end)
      } else {
        runs.append((part.address, part.end))
      }
    }
    let bases = images.compactMap { $0.base?.value }.sorted()
    for index in images.indices where images[index].size == nil {
      guard let base = images[index].base?.value else { continue }
      let after = runs.lowerBound { $0.start <= base }
      var end = after > 0 ? runs[after - 1].end : 0
      let next = bases.lowerBound { $0 <= base }
      if next < bases.count { end = min(end, bases[next]) }
      if end > base { images[index].size = end - base }
    }
  }

  /// Word `index` of an entry: bias, name, dynamic section, next entry, previous entry.
  private func listWord(_ entry: UInt64, _ index: UInt64) -> UInt64? {
    memory.word(at: entry &+ index &* UInt64(numbers.wordSize))
  }

  private mutating func add(loaded path: String, bias: UInt64, isProgram: Bool, _ main: CoreImage?)
  {
    if isProgram {
      let base = main?.base ?? programBase(bias)
      guard let base else { return }
      return add(path: programPath, base: base, size: main?.size, main)
    }
    // The vDSO is in the list without a file, and is read separately.
    guard !path.isEmpty, bias != process.auxiliary[.vDSO], path.contains("/") else { return }
    let image = CoreImage(at: bias, in: memory, numbers)
    add(path: path, base: image?.base ?? bias, size: image?.size, image)
  }

  /// The page of the program headers, which follow the header of the file: correct for all programs linked
  /// with default settings.
  private func programBase(_ bias: UInt64) -> UInt64? {
    process.auxiliary[.programHeaders].map { $0 & ~0xfff } ?? (bias == 0 ? nil : bias)
  }

  private var mainImage: CoreImage? {
    guard let headers = process.auxiliary[.programHeaders] else { return nil }
    return CoreImage(
      programHeaders: headers,
      size: process.auxiliary[.programHeaderSize] ?? (numbers.wordSize == 8 ? 56 : 32),
      count: process.auxiliary[.programHeaderCount] ?? 0, in: memory, numbers)
  }

  /// The path by which the program was started, or its name.
  private var programPath: String {
    process.auxiliary[.programPath].flatMap {
      memory.text(at: $0, limit: FormatLimits.nameBytes)
    } ?? process.name ?? "program"
  }

  /// The first entry of a list of modules in writable memory: it has none before it, and the next one leads
  /// back to it and names a file.
  private func foundList() -> UInt64? {
    let size = UInt64(numbers.wordSize)
    var left = UInt64(CoreFile.Limits.searchedBytes)
    for segment in file.segments where segment.isMemory && segment.isWritable && left > 0 {
      let held = UInt64(file.contents(of: segment).count)
      let searched = min(held, left)
      left -= searched
      guard searched >= 5 * size else { continue }
      for offset in stride(from: 0, through: searched - 5 * size, by: Int(size)) {
        let entry = segment.address &+ offset
        guard let next = listWord(entry, 3), next != 0, next % size == 0,
          listWord(entry, 4) == 0, listWord(next, 4) == entry, listWord(entry, 2) != 0,
          let name = listWord(entry, 1), memory.text(at: name, limit: 1) == ""
        else { continue }
        let path = listWord(next, 1).flatMap { memory.text(at: $0, limit: 256) } ?? ""
        if path.hasPrefix("/") || path.hasPrefix("linux-") { return entry }
      }
    }
    return nil
  }

  // MARK: The vDSO and the program

  private mutating func readVDSO() {
    guard let start = process.auxiliary[.vDSO], start != 0,
      !images.contains(where: { $0.base == Address(start) }),
      let image = CoreImage(at: start, in: memory, numbers)
    else { return }
    let name = file.machine == .i386 ? "linux-gate.so.1" : "linux-vdso.so.1"
    add(path: name, base: image.base ?? start, size: image.size, image)
    image.eachNote { note in
      guard note.owner == "Linux", note.type == .kernelVersion,
        let code = numbers.number(note.content, at: 0, size: 4)
      else { return }
      kernelVersion = "\(code >> 16).\(code >> 8 & 0xff).\(code & 0xff)"
    }
  }

  /// Moves to the front the module with the program headers or the entry point that the kernel gave to the
  /// loader.
  private mutating func findProgram() {
    let addresses = [process.auxiliary[.programHeaders], process.auxiliary[.entry]].compactMap(
      \.self)
    for address in addresses {
      guard
        let index = images.firstIndex(where: { $0.offset(of: Address(address)) != nil })
      else { continue }
      images.insert(images.remove(at: index), at: 0)
      program = 0
      return
    }
    program = nil
  }
}
