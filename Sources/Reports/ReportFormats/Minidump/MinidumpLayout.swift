internal import Bytes

/// The bytes of a minidump that describe the dump: its lists, the texts and records they point at, and the
/// positions of registers. Streams that Mayday does not know are removed, as their contents are unknown.
struct MinidumpLayout {
  private let file: MinidumpFile
  private let system: MinidumpSystem
  private let directory: [MinidumpFile.DirectoryEntry]
  private var layout = DumpLayout()

  static func layout(of bytes: ByteView) throws(ParseError) -> DumpLayout {
    let file = try MinidumpFile(bytes)
    guard let stream = file[.systemInfo] else {
      throw ParseError(
        .invalid("there is no stream that names the system"), in: "minidump", at: 12)
    }
    var reader = MinidumpLayout(
      file: file, system: try MinidumpSystem(stream, in: file), directory: try file.directory())
    reader.layout.isBigEndian = file.endianness == .big
    reader.readDirectory()
    reader.readThreads()
    reader.readModules()
    reader.readTexts()
    reader.readCrashpad()
    return reader.layout
  }

  private init(
    file: MinidumpFile, system: MinidumpSystem, directory: [MinidumpFile.DirectoryEntry]
  ) {
    self.file = file
    self.system = system
    self.directory = directory
  }

  /// The range of a stream; the last of several of one type.
  private func range(of type: MinidumpStreamType) -> Range<Int>? {
    directory.last { $0.type == type && !$0.range.isEmpty }?.range
  }

  // MARK: The directory

  /// Streams that are kept, except the texts and registers in them.
  private static let kept: Set<MinidumpStreamType> = [
    .threadList, .moduleList, .memoryList, .exception, .systemInfo, .memory64List,
    .unloadedModuleList, .miscInfo, .memoryInfoList, .threadNames, .breakpadInfo, .assertionInfo,
    .linuxCPUInfo, .linuxProcStatus, .linuxRelease, .linuxMaps, .crashpadInfo, .handleData,
    Self.threadInfoList, Self.linuxAuxiliary, .linuxLimits, .macCrashInfo,
    .softErrors,
  ]
  private static let threadInfoList = MinidumpStreamType(rawValue: 17)
  private static let linuxAuxiliary = MinidumpStreamType(rawValue: 0x4767_0008)

  /// The names of removed streams, for display.
  private static let names: [UInt32: String] = [
    10: "comment", 11: "comment", 13: "function table", 0x4767_0006: "command line",
    0x4767_0007: "environment", 0x4767_000a: "link map", 0x4b6b_0002: "stability report",
    0x4d7a_0002: "boot arguments",
  ]

  private mutating func readDirectory() {
    keep(0..<32)
    for entry in directory {
      keep(entry.offset..<(entry.offset + 12))
      guard entry.type != .unused else { continue }
      if Self.kept.contains(entry.type) {
        keep(entry.range)
      } else {
        let number = String(entry.type.rawValue, radix: 16)
        layout.removed.append(Self.names[entry.type.rawValue] ?? "stream \(number)")
        // An unused entry: its type is 0. Its offset and size have no meaning.
        layout.patches.append((entry.offset, [UInt8](repeating: 0, count: 12)))
      }
    }
  }

  private mutating func keep(_ range: Range<Int>) {
    let range = range.clamped(to: 0..<file.bytes.count)
    if !range.isEmpty { layout.structures.append(range) }
  }

  // MARK: Threads

  private mutating func readThreads() {
    let entries = file.entries(of: .threadList, size: 48, limit: MinidumpFile.Limits.threads).list
    for entry in entries {
      guard let id = file.number(entry, at: 0, as: UInt32.self) else { break }
      addContext(of: UInt64(id), entry, at: 40)
    }
    if let stream = file[.exception], let id = file.number(stream, at: 0, as: UInt32.self) {
      addContext(of: UInt64(id), stream, at: 160)
    }
    for entry in file.entries(of: .threadNames, size: 12, limit: MinidumpFile.Limits.threads).list {
      addText(file.number(entry, at: 4, as: UInt64.self))
    }
  }

  /// - Parameter position: The position of the context's size and offset.
  private mutating func addContext(of thread: UInt64, _ entry: ByteView, at position: Int) {
    guard let size = file.number(entry, at: position, as: UInt32.self),
      let offset = file.number(entry, at: position + 4, as: UInt32.self),
      let bytes = file.part(at: offset, size: size)
    else { return }
    let start = Int(offset)
    // The flags for the kind of context, and a version.
    let flags =
      switch system.processor {
      case .amd64: 48..<52
      case .oldARM64, .riscv32, .riscv64: 0..<8
      default: 0..<4
      }
    keep((start + flags.lowerBound)..<(start + flags.upperBound))
    let offsets = MinidumpContext.registerOffsets(
      in: bytes, of: system.processor, endianness: file.endianness)
    let registers = offsets.filter { $0.offset + $0.width <= bytes.count }.map {
      DumpLayout.Context.Register(
        name: $0.name, range: (start + $0.offset)..<(start + $0.offset + $0.width))
    }
    layout.contexts.append(.init(thread: thread, registers: registers))
  }

  // MARK: Modules

  private mutating func readModules() {
    let modules = file.entries(
      of: .moduleList, size: MinidumpModule.size, limit: MinidumpFile.Limits.modules)
    for entry in modules.list {
      addText(file.number(entry, at: 20, as: UInt32.self).map(UInt64.init))
      addRecord(entry)
    }
    let unloaded = file.sizedEntries(
      of: .unloadedModuleList, needed: 24, limit: MinidumpFile.Limits.modules)
    for entry in unloaded.list {
      addText(file.number(entry, at: 20, as: UInt32.self).map(UInt64.init))
    }
  }

  /// The CodeView record: an id, and a path that may contain a developer's name.
  private mutating func addRecord(_ entry: ByteView) {
    guard let size = file.number(entry, at: 76, as: UInt32.self),
      let offset = file.number(entry, at: 80, as: UInt32.self),
      size <= MinidumpFile.Limits.codeViewBytes, let bytes = file.part(at: offset, size: size),
      let signature = file.number(bytes, at: 0, as: UInt32.self)
    else { return }
    let path: Int
    switch signature {
    case 0x5344_5352: path = 24  // "RSDS"
    case 0x3031_424e: path = 16  // "NB10"
    case 0x4270_454c: path = bytes.count  // "BpEL"
    default: return
    }
    let start = Int(offset)
    keep(start..<(start + bytes.count))
    if path < bytes.count {
      layout.texts.append(.init((start + path)..<(start + bytes.count), .utf8))
    }
  }

  // MARK: Texts

  private var wide: DumpLayout.Text.Encoding {
    file.endianness == .big ? .utf16BigEndian : .utf16
  }

  private mutating func readTexts() {
    if let stream = file[.systemInfo] {
      addText(file.number(stream, at: 24, as: UInt32.self).map(UInt64.init))
    }
    // Kinds of handles are kept, their names removed.
    let handles = file.sizedEntries(
      of: .handleData, needed: 16, limit: MinidumpFile.Limits.mappings)
    var hasNames = false
    for entry in handles.list {
      addText(file.number(entry, at: 8, as: UInt32.self).map(UInt64.init))
      hasNames = hasNames || file.number(entry, at: 12, as: UInt32.self) ?? 0 != 0
    }
    if hasNames { layout.removed.append("names of handles") }
    if let range = range(of: .assertionInfo) {
      for index in 0..<3 {
        let start = range.lowerBound + index * 256
        layout.texts.append(
          .init((start..<(start + 256)).clamped(to: range), wide))
      }
    }
    let texts: [MinidumpStreamType] = [
      .linuxProcStatus, .linuxRelease, .linuxMaps, .macCrashInfo, .softErrors,
    ]
    for type in texts {
      if let range = range(of: type) { layout.texts.append(.init(range, .utf8)) }
    }
  }

  /// A text in UTF-16 after its length in bytes.
  private mutating func addText(_ offset: UInt64?) {
    guard let offset, offset > 0, let start = Int(exactly: offset), start < file.bytes.count,
      let count = file.number(file.bytes, at: start, as: UInt32.self)
    else { return }
    let length = min(Int(count), MinidumpFile.Limits.text * 2)
    let range = ((start + 4)..<(start + 4 + length)).clamped(to: 0..<file.bytes.count)
    keep(start..<range.upperBound)
    layout.texts.append(.init(range, wide))
  }

  // MARK: Crashpad

  private static let annotations = 4096

  private mutating func readCrashpad() {
    guard let stream = file[.crashpadInfo] else { return }
    addDictionary(stream, at: 36)
    for entry in entries(stream, at: 44, size: 12) {
      guard let module = part(entry, at: 4) else { continue }
      for item in entries(module, at: 4, size: 4) { addCrashpadText(item, at: 0, name: nil) }
      addDictionary(module, at: 12)
      for item in entries(module, at: 20, size: 12) {
        let name = addCrashpadText(item, at: 0, name: nil)
        // Values of other types are the application's own.
        if file.number(item, at: 4, as: UInt16.self) == 1 {
          addCrashpadText(item, at: 8, name: name ?? "")
        }
      }
    }
  }

  private mutating func addDictionary(_ bytes: ByteView, at position: Int) {
    for entry in entries(bytes, at: position, size: 8) {
      let name = addCrashpadText(entry, at: 0, name: nil)
      addCrashpadText(entry, at: 4, name: name ?? "")
    }
  }

  /// A text in UTF-8 after its length.
  ///
  /// - Returns: The text.
  @discardableResult
  private mutating func addCrashpadText(_ entry: ByteView, at position: Int, name: String?)
    -> String?
  {
    guard let offset = file.number(entry, at: position, as: UInt32.self), offset > 0,
      let count = file.number(file.bytes, at: Int(offset), as: UInt32.self)
    else { return nil }
    let start = Int(offset)
    let length = min(Int(count), MinidumpFile.Limits.text)
    let range = ((start + 4)..<(start + 4 + length)).clamped(to: 0..<file.bytes.count)
    keep(start..<range.upperBound)
    layout.texts.append(.init(range, .utf8, name: name))
    return file.bytes.clamped(range).text
  }

  /// The part that a size and an offset at `position` refer to; it is kept.
  private mutating func part(_ bytes: ByteView, at position: Int) -> ByteView? {
    guard let size = file.number(bytes, at: position, as: UInt32.self),
      let offset = file.number(bytes, at: position + 4, as: UInt32.self),
      let part = file.part(at: offset, size: size)
    else { return nil }
    keep(Int(offset)..<(Int(offset) + part.count))
    return part
  }

  private mutating func entries(_ bytes: ByteView, at position: Int, size: Int) -> [ByteView] {
    guard let list = part(bytes, at: position),
      let count = file.number(list, at: 0, as: UInt32.self)
    else { return [] }
    return (0..<min(Int(count), (list.count - 4) / size, Self.annotations)).map {
      list.clamped((4 + $0 * size)..<(4 + ($0 + 1) * size))
    }
  }
}

/// The entries of the directory as they are in the file.
extension MinidumpFile {
  fileprivate struct DirectoryEntry {
    /// The offset of the entry.
    let offset: Int
    let type: MinidumpStreamType
    /// The range of its stream, as far as the file has it.
    let range: Range<Int>
  }

  fileprivate func directory() throws(ParseError) -> [DirectoryEntry] {
    var reader = ByteReader(bytes.bytes, reading: "minidump header", endianness: endianness)
    try reader.seek(to: 8)
    let count = min(Int(try reader.read(UInt32.self)), Limits.streams)
    let start = Int(try reader.read(UInt32.self))
    try reader.seek(to: start)
    var entries: [DirectoryEntry] = []
    while entries.count < count, reader.remaining >= 12 {
      let type = MinidumpStreamType(rawValue: try reader.read(UInt32.self))
      let size = Int(try reader.read(UInt32.self))
      let offset = Int(try reader.read(UInt32.self))
      entries.append(
        DirectoryEntry(
          offset: start + entries.count * 12, type: type,
          range: (offset..<offset.addingClamped(size)).clamped(to: 0..<bytes.count)))
    }
    return entries
  }
}
