internal import Bytes
internal import CrashModel

/// The bytes of a Linux core that describe it: its headers and its notes, except for a program's data in the
/// notes.
struct CoreLayout {
  private let file: CoreFile
  private var layout = DumpLayout()

  /// - Returns: `nil` for cores of other systems, whose notes differ.
  static func layout(of bytes: ByteView) throws(ParseError) -> DumpLayout? {
    let file = try CoreFile(bytes)
    guard CoreProcess(file).systemName == "Linux" else { return nil }
    var reader = CoreLayout(file: file)
    reader.layout.isBigEndian = file.numbers.endianness == .big
    reader.readHeaders()
    reader.readNotes()
    reader.readLoader()
    return reader.layout
  }

  private init(file: CoreFile) { self.file = file }

  private mutating func keep(_ range: Range<Int>) {
    let range = range.clamped(to: 0..<file.bytes.count)
    if !range.isEmpty { layout.structures.append(range) }
  }

  /// The header, the program headers and section 0, which holds their number if there are many.
  private mutating func readHeaders() {
    let numbers = file.numbers
    let is64 = numbers.wordSize == 8
    keep(0..<(is64 ? 64 : 52))
    if let offset = numbers.word(file.bytes, at: is64 ? 32 : 28).map(Int.init(clamping:)),
      let size = numbers.number(file.bytes, at: is64 ? 54 : 42, size: 2)
    {
      keep(offset..<offset.addingClamped(file.segments.count * Int(size)))
    }
    if let offset = numbers.word(file.bytes, at: is64 ? 40 : 32).map(Int.init(clamping:)),
      offset > 0
    {
      keep(offset..<offset.addingClamped(is64 ? 64 : 40))
    }
  }

  private mutating func readNotes() {
    var left = CoreFile.Limits.notes
    for segment in file.segments where segment.isNotes && left > 0 {
      let bytes = file.contents(of: segment)
      guard let start = bytes.offset(in: file.bytes) else { continue }
      keep(start..<(start + bytes.count))
      left -= CoreNote.each(in: bytes, file.numbers, limit: left) { note in
        if let contentStart = note.content.offset(in: file.bytes), !note.content.isEmpty {
          read(note, contentStart..<(contentStart + note.content.count))
        }
      }
    }
  }

  private mutating func read(_ note: CoreNote, _ range: Range<Int>) {
    switch (note.owner, note.type) {
    case ("CORE", .threadStatus): readThread(note.content, range)
    case ("CORE", .processInfo):
      // The arguments follow the name.
      let arguments = file.numbers.wordSize == 8 ? 56 : range.count >= 128 ? 48 : 44
      let part = range.dropFirst(arguments)
      guard !part.isEmpty else { return }
      layout.zeros.append(part.startIndex..<part.endIndex)
      layout.removed.append("command line")
    case ("CORE", .mappedFiles):
      // The names are the last part.
      layout.texts.append(.init(range, .utf8))
    case ("CORE", .auxiliaryVector), ("CORE", .signalInfo), ("LINUX", .armPointerMask): break
    // Floating-point registers and other processor state.
    default: layout.zeros.append(range)
    }
  }

  private mutating func readThread(_ bytes: ByteView, _ range: Range<Int>) {
    let numbers = file.numbers
    let is64 = numbers.wordSize == 8
    let start = is64 ? 112 : 72
    guard let id = numbers.number(bytes, at: is64 ? 32 : 24, size: 4) else { return }
    var registers = CoreRegisters.linux(file.machine, wordSize: numbers.wordSize)
    if file.machine == .mips, !is64, bytes.count >= start + 45 * 8 {
      registers = .linux(.mips, wordSize: 8)
    }
    guard let registers else { return layout.zeros.append(range) }
    var registerRanges: [DumpLayout.Context.Register] = []
    for (index, name) in registers.names.enumerated() {
      let first = range.lowerBound + start + index * registers.size
      let part = (first..<(first + registers.size)).clamped(to: range)
      guard part.count == registers.size else { break }
      if let name {
        registerRanges.append(.init(name: name, range: part))
      } else {
        layout.zeros.append(part)
      }
    }
    // Registers that are not shown: bases of segments, kinds of traps.
    let end = min(start + registers.names.count * registers.size, range.count)
    layout.zeros.append((range.lowerBound + end)..<range.upperBound)
    layout.contexts.append(.init(thread: id, registers: registerRanges))
  }

  // MARK: Memory

  /// Reads the vDSO, and the data by which debuggers find libraries: the dynamic section of the program, the
  /// loader's list and the paths in it.
  private mutating func readLoader() {
    var file = file
    let process = CoreProcess(file)
    let memory = file.memory(of: process)
    let numbers = file.numbers
    let word = UInt64(numbers.wordSize)
    if let start = process.auxiliary[.vDSO],
      let size = CoreImage(at: start, in: memory, numbers)?.size
    {
      keep(start, size)
    }
    if let path = process.auxiliary[.programPath] { keepText(path, in: memory) }
    guard let headers = process.auxiliary[.programHeaders],
      let main = CoreImage(
        programHeaders: headers, size: process.auxiliary[.programHeaderSize] ?? 56,
        count: process.auxiliary[.programHeaderCount] ?? 0, in: memory, numbers),
      let section = main.segments.first(where: { $0.type == CoreImage.Segment.dynamic })
    else { return }
    keep(main.loadedAddress(section.address), section.memorySize)
    guard let list = main.dynamicValue(21) else { return }
    keep(list, 5 * word)
    var entry = memory.word(at: list &+ word) ?? 0
    var seen: Set<UInt64> = []
    while entry != 0, seen.insert(entry).inserted, seen.count <= CoreFile.Limits.modules {
      keep(entry, 5 * word)
      if let name = memory.word(at: entry &+ word) { keepText(name, in: memory) }
      entry = memory.word(at: entry &+ 3 * word) ?? 0
    }
  }

  private mutating func keep(_ address: UInt64, _ size: UInt64) {
    layout.memory.append(.init(address: address, size: Int(min(size, 1 << 16))))
  }

  private mutating func keepText(_ address: UInt64, in memory: ProcessMemory) {
    guard let text = memory.text(at: address, limit: FormatLimits.nameBytes) else { return }
    layout.memory.append(.init(address: address, size: text.utf8.count, isText: true))
  }
}
