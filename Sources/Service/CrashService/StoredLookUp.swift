internal import Bytes
package import CrashModel
package import CrashStore
package import Identifiers
internal import Pipeline
internal import Symbolication

/// The calls at an offset of an image.
package struct LookedUpOffset: Sendable {
  /// The offset from the start of the image.
  package let offset: ImageOffset
  /// Innermost first; inlined calls come before the function that they are in.
  package let frames: [Frame]

  package init(offset: ImageOffset, frames: [Frame]) {
    self.offset = offset
    self.frames = frames
  }
}

/// Functions and lines in images whose debug files are in a store.
package enum StoredLookUp {
  /// The maximum number of offsets in one look-up.
  package static let mostOffsets = 100

  /// The image that debug files of a store explain.
  ///
  /// - Parameters:
  ///   - id: A debug id or a build id, in any spelling.
  ///   - architecture: Needed where files of several architectures have the id.
  /// - Throws: ``StoreError/notFound(_:)``, ``ServiceError``, `DatabaseError`.
  package static func image(
    of id: String, architecture: String?, in store: CrashStore
  ) throws -> LoadedImage {
    let records = try StoredDebugFiles.records(of: id, architecture: architecture, in: store)
    guard let first = records.first else { throw StoreError.notFound(id) }
    let architectures = Set(records.map(\.architecture.description)).sorted()
    guard architectures.count == 1 else {
      throw ServiceError(
        "\(id) has debug files for \(architectures.joined(separator: " and ")): say which",
        .wrongUsage)
    }
    return LoadedImage(
      name: first.name, architecture: first.architecture, debugID: first.debugID,
      codeID: first.codeID)
  }

  /// - Throws: `DatabaseError`.
  package static func look(
    up offsets: [ImageOffset], in image: LoadedImage, of store: CrashStore
  ) throws -> [LookedUpOffset] {
    // A report with nothing but these frames is symbolicated like any other.
    var report = CrashReport(format: .appleIPS)
    report.images = [image]
    report.threads = offsets.enumerated().map { index, offset in
      CrashThread(
        index: index, crashed: false,
        frames: [Frame(position: .exact, image: 0, imageOffset: offset)])
    }
    let symbolicator = Symbolicator(
      sources: [StoredSymbols(in: store)], pool: SymbolCachePool(folder: store.caches))
    let found = try symbolicator.symbolicate(report)
    return zip(offsets, found.threads).map { offset, thread in
      LookedUpOffset(
        offset: offset, frames: thread.frames.filter { $0.function != nil || $0.file != nil })
    }
  }
}
