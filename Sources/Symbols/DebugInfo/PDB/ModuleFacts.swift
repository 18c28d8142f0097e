internal import Bytes
public import ObjectFormats

/// The producers of the modules of a PDB.
///
///     OFFSET  SIZE  FIELD
///          0     2  size of what follows
///          2     2  kind: 0x113c, or 0x1116 of the older form
///          4     4  flags, of which the lowest byte is the language
///          8     2  machine
///         10     8  version of the front end, four numbers; three in the older form
///         18     8  version of the back end, as many
///         26     n  name of the compiler, with a NUL; in the older form at 22
///
/// Source: COMPILESYM3 and COMPILESYM in Microsoft's cvinfo.h; LLVM docs, "CodeView Symbol
/// Records".
public struct ModuleFacts: Sendable {
  /// How many modules were compiled; those of the linker itself are not counted.
  public private(set) var moduleCount = 0
  /// How many modules each compiler made, by its name and version.
  public private(set) var producers: [String: Int] = [:]
  /// How many modules each language has, by its code.
  public private(set) var languages: [UInt8: Int] = [:]

  /// The record of a module's compiler precedes its functions, after the name of the object file.
  private static let mostRecords = 16
  /// A larger number is of no use.
  private static let mostProducers = 1000
  private static let producerLength = 1024
  /// Modules may name the same stream: this many times the size of the file may be read.
  private static let rereading = 2
  private static let slack = 1 << 20

  /// Reads the facts of all modules. A damaged module is left out.
  ///
  /// - Complexity: O(n) in the size of the modules.
  init(reading file: PDBFile) {
    var budget = file.container.bytes.count * Self.rereading + Self.slack
    for module in file.modules() {
      guard let number = module.stream, let stream = try? file.container.stream(number) else {
        continue
      }
      budget -= stream.count
      guard budget > 0 else { return }
      add(module.symbols(in: stream))
    }
  }

  private mutating func add(_ view: ByteView) {
    var start = 0
    for _ in 0..<Self.mostRecords {
      let size = Int(view.number(at: start, size: 2))
      guard size >= 2, start + 2 + size <= view.count else { return }
      let record = view.clamped(start..<(start + 2 + size))
      switch SymbolKind(rawValue: UInt16(truncatingIfNeeded: record.number(at: 2, size: 2))) {
      case .compile3: return add(record, numbers: 4)
      case .compile2: return add(record, numbers: 3)
      default: start += 2 + size
      }
    }
  }

  private mutating func add(_ record: ByteView, numbers: Int) {
    let language = UInt8(truncatingIfNeeded: record.number(at: 4, size: 1))
    let name = 10 + numbers * 4
    guard name < record.count, !Self.isOfLinker(language) else { return }
    moduleCount += 1
    languages[language, default: 0] += 1
    let front = Self.version(record, at: 10, numbers)
    let back = Self.version(record, at: 10 + numbers * 2, numbers)
    let count = record.bytes.textLength(
      from: name, limit: min(record.count - name, Self.producerLength))
    var producer = record.clamped(name..<(name + count)).text
    let version = front.contains { $0 != 0 } ? front : back
    // clang's name includes the version.
    if !producer.contains("\(version[0]).\(version[1])") {
      producer += " " + version.map(String.init).joined(separator: ".")
    }
    if producers[producer] != nil || producers.count < Self.mostProducers {
      producers[producer, default: 0] += 1
    }
  }

  private static func version(_ record: ByteView, at offset: Int, _ numbers: Int) -> [UInt64] {
    (0..<numbers).map { record.number(at: offset + 2 * $0, size: 2) }
  }

  /// LINK, CVTRES and CVTPGD add modules of their own to a program.
  private static func isOfLinker(_ language: UInt8) -> Bool { (7...9).contains(language) }

  /// The usual name of a language: `C++`, `Rust`; `nil` for an unknown one.
  ///
  /// Source: CV_CFL_LANG in Microsoft's cvconst.h; for 0x11 to 0x16 and D LLVM's `CodeView.h`,
  /// `SourceLanguage`.
  public static func language(_ code: UInt8) -> String? {
    switch code {
    case 0x00: "C"
    case 0x01: "C++"
    case 0x02: "Fortran"
    case 0x03: "MASM"
    case 0x04: "Pascal"
    case 0x05: "Basic"
    case 0x06: "COBOL"
    case 0x0a: "C#"
    case 0x0b: "Visual Basic"
    case 0x0c: "ILASM"
    case 0x0d: "Java"
    case 0x0e: "JScript"
    case 0x0f: "MSIL"
    case 0x10: "HLSL"
    case 0x11: "Objective-C"
    case 0x12: "Objective-C++"
    case 0x13, 0x53: "Swift"
    case 0x15: "Rust"
    case 0x16: "Go"
    case 0x44: "D"
    default: nil
    }
  }
}

extension ObjectFile {
  /// The compilers of the modules of a PDB; `nil` for other files.
  ///
  /// - Complexity: O(n) in the size of the modules.
  public var moduleFacts: ModuleFacts? { pdb.map { ModuleFacts(reading: $0) } }
}
