internal import Bytes

/// The notes that Linux writes.
///
/// Sources: Linux, `include/linux/elfcore.h`, `fs/binfmt_elf.c`, `include/uapi/asm-generic/siginfo.h`.
extension CoreProcess {
  mutating func readLinux(_ note: CoreNote, _ file: CoreFile) {
    let numbers = file.numbers
    switch (note.owner, note.type) {
    case ("CORE", .threadStatus): readThread(note.content, file)
    case ("CORE", .processInfo): readProcessInfo(note.content, numbers)
    case ("CORE", .auxiliaryVector): readAuxiliaryVector(note.content, numbers)
    case ("CORE", .signalInfo): readSignal(note.content, file)
    case ("CORE", .mappedFiles): readMappings(note.content, numbers)
    case ("LINUX", .armPointerMask):
      // The signature bits of a data pointer, then of a code pointer.
      if let mask = numbers.number(note.content, at: 8, size: 8), mask != 0 { addressMask = ~mask }
    default: break
    }
  }

  /// A thread: `elf_prstatus`.
  ///
  ///     32  64  FIELD
  ///     12  12  signal, two bytes
  ///     24  32  id
  ///     72 112  registers
  private mutating func readThread(_ bytes: ByteView, _ file: CoreFile) {
    let numbers = file.numbers
    let is64 = numbers.wordSize == 8
    let start = is64 ? 112 : 72
    guard let id = numbers.number(bytes, at: is64 ? 32 : 24, size: 4) else {
      return noteCutThread()
    }
    var layout = CoreRegisters.linux(file.machine, wordSize: numbers.wordSize)
    // The 32-bit programs of a 64-bit MIPS have 64-bit registers.
    if file.machine == .mips, !is64, bytes.count >= start + 45 * 8 {
      layout = .linux(.mips, wordSize: 8)
    }
    let registers = layout?.registers(in: bytes, at: start, numbers) ?? []
    let signal = numbers.number(bytes, at: 12, size: 2) ?? 0
    add(Thread(id: id, signal: Int32(signal), registers: registers))
  }

  /// `elf_prpsinfo`: 136 bytes for 64-bit programs; for others 124, or 128 if user ids have four bytes.
  private mutating func readProcessInfo(_ bytes: ByteView, _ numbers: CoreNumbers) {
    let (id, text) =
      numbers.wordSize == 8 ? (24, 40) : bytes.count >= 128 ? (16, 32) : (12, 28)
    pid = numbers.number(bytes, at: id, size: 4).map { Int($0) }
    name = numbers.text(bytes, at: text, size: 16)
  }

  /// `siginfo`: number, error and code, then the address, or the process and the user that sent the signal; only
  /// the first counts, other threads have theirs.
  private mutating func readSignal(_ bytes: ByteView, _ file: CoreFile) {
    let numbers = file.numbers
    let offset = file.machine.hasCodeBeforeError ? 4 : 8
    guard signal == nil, let number = numbers.integer(bytes, at: 0),
      let code = numbers.integer(bytes, at: offset)
    else { return }
    let start = numbers.wordSize == 8 ? 16 : 12
    signal = SignalInfo(number: number, code: code, address: numbers.word(bytes, at: start) ?? 0)
    if let process = numbers.number(bytes, at: start, size: 4),
      let user = numbers.number(bytes, at: start + 4, size: 4)
    {
      signal?.sender = (process, user)
    }
  }

  /// The mapped files: a count and the unit of offsets, then start, end and offset of each, then the names,
  /// each up to a zero.
  private mutating func readMappings(_ bytes: ByteView, _ numbers: CoreNumbers) {
    let size = numbers.wordSize
    // There is one list; several segments of a file may claim to be it.
    guard mappings.isEmpty, let count = numbers.word(bytes, at: 0),
      let unit = numbers.word(bytes, at: size)
    else {
      return
    }
    let room = max(0, bytes.count - 2 * size) / (3 * size)
    let listed = min(Int(clamping: count), room)
    let fitting = min(listed, CoreFile.Limits.mappings)
    var nameStart = 2 * size + listed * 3 * size
    for index in 0..<fitting {
      let entry = (2 + index * 3) * size
      guard let start = numbers.word(bytes, at: entry),
        let end = numbers.word(bytes, at: entry + size),
        let pages = numbers.word(bytes, at: entry + 2 * size)
      else { break }
      var length = 0
      while nameStart + length < bytes.count, bytes[nameStart + length] != 0 { length += 1 }
      guard length > 0 else { break }
      let path = bytes.clamped(nameStart..<nameStart + min(length, FormatLimits.nameBytes)).text
      nameStart += length + 1
      let (offset, overflow) = pages.multipliedReportingOverflow(by: unit)
      guard start < end, !overflow else { continue }
      mappings.append(Mapping(start: start, end: end, offset: offset, path: path))
    }
    if mappings.count < Int(clamping: count) {
      notes.append(
        "the core names \(count) mappings of files; \(mappings.count) of them were read")
    }
  }
}
