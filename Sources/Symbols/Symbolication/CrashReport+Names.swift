internal import CrashModel
internal import Demangling
internal import Identifiers

extension CrashReport {
  /// Removes doubtful function names given by the report, so that their frames are identified by image and
  /// offset until a debug file names them.
  ///
  /// Writers of reports that have only the symbols of a stripped program name each function after the nearest
  /// symbol before it. A name is rejected if
  /// - it is that of a boundary, see ``BoundarySymbol``;
  /// - its function would begin before the image does;
  /// - its function would be too long: longer than ``NameDoubt/farthest`` in a program, or
  ///   ``NameDoubt/farthestOfSystem`` in a library of the system: interpreters are one symbol, and Windows
  ///   stores the parts of a function separately;
  /// - other frames contradict it: the same name and offset at another address, or two distant addresses that
  ///   would be in two functions of that name.
  ///
  /// Frames with a source file come from debug information, and keep their names. So do those that a
  /// sanitizer found on Windows, whatever the distance: nothing else names them, and their image and offset
  /// group them.
  mutating func dropDoubtfulNames() {
    var doubt = NameDoubt(self)
    guard doubt.isAny else { return }
    mapStacks { frames in frames.map { doubt.checked($0) } }
    notes += doubt.notes
  }
}

/// The names of a report's frames that do not belong to the functions at their addresses.
private struct NameDoubt {
  /// The longest function of a program; longer ones are made by generators, and rare.
  static let farthest: UInt64 = 1 << 17
  static let farthestOfSystem: UInt64 = 1 << 20
  /// The distance from which on two starts of one name in an image count as a contradiction: static functions
  /// of one name are shorter.
  private static let fewBytes: UInt64 = 1 << 12
  private static let mostNotes = 8

  private struct NamedFunction: Hashable {
    let image: Int
    let name: String
  }

  private(set) var isAny = false
  private let images: [LoadedImage]
  private let isWindows: Bool
  private let isSanitizer: Bool
  private var contradicted: Set<NamedFunction> = []
  private var dropped: [NamedFunction] = []
  private var known: Set<NamedFunction> = []

  init(_ report: CrashReport) {
    images = report.images
    isWindows = report.os.name == "Windows"
    isSanitizer = report.format == ReportFormat("sanitizer")
    var starts: [NamedFunction: (start: UInt64, offset: UInt64)] = [:]
    report.forEachStack { frames in
      for frame in frames {
        guard let (image, name, offset, symbolOffset) = Self.symbol(of: frame) else { continue }
        if !isAny { isAny = isDoubtful(image, name, offset, symbolOffset) }
        guard let symbolOffset, symbolOffset > Self.fewBytes else { continue }
        let function = NamedFunction(image: image, name: name)
        let start = offset &- symbolOffset
        guard let other = starts[function] else {
          starts[function] = (start, symbolOffset)
          continue
        }
        if other.start != start {
          contradicted.insert(function)
          isAny = true
        }
      }
    }
  }

  /// The frame, without its name where that is not its function's.
  mutating func checked(_ frame: Frame) -> Frame {
    guard let (image, name, offset, symbolOffset) = Self.symbol(of: frame),
      isDoubtful(image, name, offset, symbolOffset)
        || symbolOffset ?? 0 > Self.fewBytes
          && contradicted.contains(NamedFunction(image: image, name: name))
    else { return frame }
    let function = NamedFunction(image: image, name: name)
    if dropped.count < Self.mostNotes, known.insert(function).inserted { dropped.append(function) }
    var frame = frame
    frame.function = nil
    frame.symbol = nil
    frame.symbolOffset = nil
    return frame
  }

  /// The notes for the report.
  var notes: [String] {
    dropped.map {
      "\(images[$0.image].name): \($0.name) is not the function of each frame that has its name"
    }
  }

  private static func symbol(
    of frame: Frame
  ) -> (image: Int, name: String, offset: UInt64, symbolOffset: UInt64?)? {
    guard frame.file == nil, !frame.inlined, frame.symbolSize == nil, let image = frame.image,
      let offset = frame.imageOffset,
      let name = frame.symbol ?? frame.function
    else { return nil }
    return (image, name, offset.value, frame.symbolOffset)
  }

  private func isDoubtful(
    _ image: Int, _ name: String, _ offset: UInt64, _ symbolOffset: UInt64?
  ) -> Bool {
    if BoundarySymbol.isName(name, offset: symbolOffset) { return true }
    guard let symbolOffset, !isNearest(image) else { return false }
    // Only with a load address is the start of the image known.
    if symbolOffset > offset, images.indices.contains(image), images[image].base?.value ?? 0 > 0 {
      return true
    }
    return symbolOffset > Self.farthest
      && (symbolOffset > Self.farthestOfSystem || !isOfSystem(image))
  }

  private func isNearest(_ image: Int) -> Bool {
    isSanitizer && images.indices.contains(image) && images[image].path?.contains(#"\"#) == true
  }

  private func isOfSystem(_ image: Int) -> Bool {
    let path = images.indices.contains(image) ? images[image].path ?? "" : ""
    // Rarely executed parts of functions are far away there. Debuggers often know no path.
    if isWindows {
      return path.isEmpty || path.lowercased().dropFirst(2).hasPrefix(#"\windows\"#)
    }
    return Self.systemFolders.contains { path.hasPrefix($0) }
  }

  private static let systemFolders = [
    "/System/", "/usr/lib/", "/usr/lib64/", "/lib/", "/lib64/", "/system/", "/apex/",
  ]
}
