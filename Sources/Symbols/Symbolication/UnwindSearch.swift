internal import Bytes
internal import CrashModel
internal import Identifiers
internal import ObjectFormats
internal import SymbolSources
internal import Synchronization
internal import UnwindRules

/// Finds the unwind rules of an image, once for each build however many reports hold it.
final class UnwindSearch: Sendable {
  private struct Identity: Hashable {
    let debugID: DebugID?
    let codeID: CodeID?
    let architecture: Architecture?
  }

  /// Past this many builds the table starts again: a server sees builds without end.
  private static let limit = 10_000
  /// The most files of an image whose rules are asked.
  private static let fileLimit = 4

  private let sources: [any SymbolSource]
  private let cache: UnwindRuleCache
  private let known = Mutex<[Identity: Finding]>([:])

  /// The rules of an image, and the best file that has some.
  struct Finding {
    /// None where no file has any.
    var rules: [UnwindRules] = []
    var debugID: DebugID?
    /// The SHA-256 of the file.
    var digest: String?
    /// Whether a file has the metadata of Swift.
    var isSwift = false
    /// Whether a file is a program of Go.
    var isGo = false
    /// The SHA-256 of all files that belong to the image.
    var belonging: Set<String> = []

    /// The files with rules for every instruction come first.
    fileprivate var inOrder: Finding {
      var ordered = self
      ordered.rules =
        rules.filter { !$0.sources.contains(.exceptionIndex) }
        + rules.filter { $0.sources.contains(.exceptionIndex) }
      return ordered
    }
  }

  init(sources: [any SymbolSource], cache: UnwindRuleCache) {
    self.sources = sources
    self.cache = cache
  }

  /// The rules of the files of an image that have any: a program without debug information has them, too.
  ///
  /// Only files with the id of the image are asked; for an image without one, files of its name from which
  /// it was loaded, as the memory of the process shows.
  ///
  /// - Throws: What a source throws that cannot tell; that is not remembered.
  func rules(for image: LoadedImage, in memory: ProcessMemory) throws -> Finding {
    guard image.hasBuildID else { return try search(image) { Self.isLoaded($0, image, memory) } }
    let identity = Identity(
      debugID: image.debugID, codeID: image.codeID, architecture: image.architecture)
    if let known = known.withLock({ $0[identity] }) { return known }
    let finding = try search(image) { _ in true }
    known.withLock {
      if $0.count >= Self.limit { $0.removeAll() }
      $0[identity] = finding
    }
    return finding
  }

  /// Whether memory shows that the image was loaded from a file: by the headers at its address, which name
  /// the places of all segments and sections, or, where a core leaves these out, by its dynamic section.
  /// Another build has others. Where a dump has neither, by the stacks.
  private static func isLoaded(
    _ file: DebugFile, _ image: LoadedImage, _ memory: ProcessMemory
  ) -> Bool {
    guard file.object.container == .elf, let base = image.base else { return false }
    let bytes = file.object.bytes
    guard bytes.count >= headerSize, memory.number(at: base.value, size: 8) != nil else {
      return DynamicSectionMatcher.isPresent(file.object, with: image, in: memory)
        ? DynamicSectionMatcher.agrees(file.object, with: image, in: memory)
        : StackMatcher.agrees(file.object, with: image, in: memory)
    }
    return (0..<headerSize / 8).allSatisfy { index in
      memory.number(at: base.value &+ UInt64(index * 8), size: 8)
        == bytes.number(at: index * 8, memory.endianness)
    }
  }

  /// The header of an ELF file and the first of its program headers, in bytes.
  private static let headerSize = 512

  private func search(
    _ image: LoadedImage, accepts: (DebugFile) -> Bool
  ) throws -> Finding {
    var found = Finding()
    for source in sources {
      for file in try source.candidates(for: image) {
        // A file that cannot be read is named where its symbols are searched for.
        guard accepts(file) else { continue }
        found.belonging.insert(file.digest)
        if file.object.sections.contains(where: \.isOfGo) { found.isGo = true }
        guard let rules = try? cache.rules(for: file), rules.rowCount > 0 else { continue }
        if file.object.sections.contains(where: \.isOfSwift) { found.isSwift = true }
        if found.rules.isEmpty {
          found.debugID = file.debugID ?? image.debugID
          found.digest = file.digest
        }
        found.rules.append(rules)
        // A debug file may know a few functions only, such as those in assembly; the program knows all.
        if rules.isComplete || found.rules.count >= Self.fileLimit { return found.inOrder }
      }
    }
    return found.inOrder
  }

  /// The code of an image, from the first file of it that has any; not remembered: programs are large.
  ///
  /// - Throws: What a source throws that cannot tell.
  func code(of image: LoadedImage, in memory: ProcessMemory) throws -> ProgramCode? {
    for source in sources {
      for file in try source.candidates(for: image)
      where image.hasBuildID || Self.isLoaded(file, image, memory) {
        if let code = ProgramCode(file.object) { return code }
      }
    }
    return nil
  }
}

extension UnwindRules {
  /// Whether the functions without rules have none anywhere, and those with rules no better ones: the
  /// exception index of 32-bit Arm holds at calls only.
  fileprivate var isComplete: Bool {
    !sources.contains(.exceptionIndex) && !sources.subtracting(.debugFrame).isEmpty
  }
}

extension ByteView {
  /// The number of eight bytes at an offset inside.
  fileprivate func number(at offset: Int, _ endianness: Endianness) -> UInt64 {
    (0..<8).reduce(0) { value, index in
      value << 8 | UInt64(self[offset + (endianness == .little ? 7 - index : index)])
    }
  }
}

extension ObjectSection {
  /// `swift5_types` of ELF files, `__swift5_types` of Mach-O.
  fileprivate var isOfSwift: Bool { name.hasPrefix("swift5_") || name.hasPrefix("__swift5_") }

  /// Whether Go's linker writes it, with facts of a build, in ELF and Mach-O files.
  fileprivate var isOfGo: Bool {
    name == ".go.buildinfo" || name == "__go_buildinfo" || name == ".note.go.buildid"
  }
}
