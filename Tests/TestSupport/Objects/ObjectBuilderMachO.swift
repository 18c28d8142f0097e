/// Small Mach-O files made by hand, so that they can lie.
///
/// Source: mach-o/loader.h, mach-o/nlist.h, mach-o/fat.h.
public struct ObjectBuilderMachO {
  public struct Section {
    public var name: String
    public var address: UInt64
    public var contents: [UInt8]
    public var flags: Int
    /// Places and second words.
    public var relocations: [(Int, Int)] = []

    public init(_ name: String, address: UInt64 = 0, contents: [UInt8] = [], flags: Int = 0) {
      self.name = name
      self.address = address
      self.contents = contents
      self.flags = flags
    }
  }

  public struct Segment {
    public var name: String
    public var address: UInt64
    public var sections: [Section]
    /// Whether the file holds the bytes of its sections.
    public var hasBytes: Bool

    public init(_ name: String, address: UInt64, sections: [Section], hasBytes: Bool = true) {
      self.name = name
      self.address = address
      self.sections = sections
      self.hasBytes = hasBytes
    }
  }

  public struct Symbol {
    public var name: String
    public var value: UInt64
    /// 0x0f is external and in a section.
    public var type: UInt8
    public var section: UInt8

    public init(_ name: String, _ value: UInt64, type: UInt8 = 0x0f, section: UInt8 = 1) {
      self.name = name
      self.value = value
      self.type = type
      self.section = section
    }
  }

  public var is64: Bool
  public var isBigEndian: Bool
  public var cpuType = 0x0100_000c
  public var cpuSubtype = 0
  public var fileType = 2
  public var uuid: [UInt8]?
  public var segments: [Segment] = []
  public var symbols: [Symbol] = []
  public var functionStarts: [UInt8] = []
  /// The number of symbols that the file announces, if different.
  public var symbolCount: Int?
  public var commandCount: Int?

  public init(is64: Bool = true, isBigEndian: Bool = false) {
    self.is64 = is64
    self.isBigEndian = isBigEndian
  }

  private var word: Int { is64 ? 8 : 4 }

  public func build() -> [UInt8] {
    let headerSize = is64 ? 32 : 28
    let sizes = segments.map { (is64 ? 72 : 56) + $0.sections.count * (is64 ? 80 : 68) }
    let commandBytes = sizes.reduce(0, +) + 24 + (uuid == nil ? 0 : 24) + 16
    var data = ObjectBytes(isBigEndian: isBigEndian)
    let dataStart = headerSize + commandBytes
    var commands = ObjectBytes(isBigEndian: isBigEndian)
    func name(_ text: String) -> [UInt8] {
      let bytes = Array(text.utf8.prefix(16))
      return bytes + [UInt8](repeating: 0, count: 16 - bytes.count)
    }
    var relocations: [Int] = []
    for section in segments.flatMap(\.sections) {
      relocations.append(dataStart + data.bytes.count)
      for (place, word) in section.relocations {
        data.add32(place)
        data.add32(word)
      }
    }
    relocations.reverse()
    for (segment, size) in zip(segments, sizes) {
      let bytes = segment.sections.reduce(0) { $0 + $1.contents.count }
      commands.add32(is64 ? 0x19 : 1)
      commands.add32(size)
      commands.bytes += name(segment.name)
      commands.add(segment.address, size: word)
      commands.add(UInt64(bytes), size: word)
      commands.add(UInt64(dataStart + data.bytes.count), size: word)
      commands.add(UInt64(segment.hasBytes ? bytes : 0), size: word)
      commands.add32(7)
      commands.add32(5)
      commands.add32(segment.sections.count)
      commands.add32(0)
      for section in segment.sections {
        commands.bytes += name(section.name) + name(segment.name)
        commands.add(section.address, size: word)
        commands.add(UInt64(section.contents.count), size: word)
        commands.add32(dataStart + data.bytes.count)
        let place = relocations.popLast() ?? 0
        for value in [0, place, section.relocations.count, section.flags, 0, 0] {
          commands.add32(value)
        }
        if is64 { commands.add32(0) }
        if segment.hasBytes { data.bytes += section.contents }
      }
    }
    if let uuid {
      commands.add32(0x1b)
      commands.add32(24)
      commands.bytes += uuid
    }
    var strings: [UInt8] = [0]
    let symbolStart = dataStart + data.bytes.count
    for symbol in symbols {
      data.add32(strings.count)
      data.bytes += [symbol.type, symbol.section, 0, 0]
      data.add(symbol.value, size: word)
      strings += Array(symbol.name.utf8) + [0]
    }
    commands.add32(2)
    commands.add32(24)
    commands.add32(symbolStart)
    commands.add32(symbolCount ?? symbols.count)
    commands.add32(dataStart + data.bytes.count)
    commands.add32(strings.count)
    data.bytes += strings
    commands.add32(0x26)
    commands.add32(16)
    commands.add32(dataStart + data.bytes.count)
    commands.add32(functionStarts.count)
    data.bytes += functionStarts
    var file = ObjectBytes(isBigEndian: isBigEndian)
    file.add32(is64 ? 0xfeed_facf : 0xfeed_face)
    file.add32(cpuType)
    file.add32(cpuSubtype)
    file.add32(fileType)
    file.add32(commandCount ?? segments.count + (uuid == nil ? 0 : 1) + 2)
    file.add32(commandBytes)
    file.add32(0)
    if is64 { file.add32(0) }
    return file.bytes + commands.bytes + data.bytes
  }

  /// A universal file of `slices`, with the sizes that the table announces if different.
  public static func universal(
    _ slices: [[UInt8]], is64: Bool = false, sizes: [UInt64]? = nil
  ) -> [UInt8] {
    var file = ObjectBytes(isBigEndian: true)
    file.add32(is64 ? 0xcafe_babf : 0xcafe_babe)
    file.add32(slices.count)
    var offset = 8 + slices.count * (is64 ? 32 : 20)
    for (index, slice) in slices.enumerated() {
      file.add32(0)
      file.add32(0)
      file.add(UInt64(offset), size: is64 ? 8 : 4)
      file.add(sizes?[index] ?? UInt64(slice.count), size: is64 ? 8 : 4)
      file.add32(0)
      if is64 { file.add32(0) }
      offset += slice.count
    }
    return file.bytes + slices.flatMap { $0 }
  }
}
