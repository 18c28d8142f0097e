internal import Bytes
package import CrashModel
package import CrashService
internal import Identifiers

/// The results of the search for the images' debug files: a line for each imperfect candidate.
package struct ImageVerdicts {
  package var width = 80

  /// - Parameter entries: The images that contain frames.
  package func lines(for entries: [ImageSummary.Entry]) -> [String] {
    entries.flatMap { entry -> [String] in
      guard let symbols = entry.image.symbols else { return [] }
      let name = entry.image.name.printable
      if symbols.isUnverified {
        return bullet("\(name): \(Self.words(forMatchByName: symbols))")
      }
      // A missing file of a system library is not worth a line.
      if symbols.tried.isEmpty, entry.isOwn, let why = Self.absence(of: entry.image) {
        return bullet("\(name): \(why)")
      }
      return symbols.tried.flatMap { candidate in
        let file = candidate.file == entry.image.name ? "" : candidate.file.printable + ": "
        return bullet("\(name): \(file)\(Self.words(for: candidate))")
      }
    }
  }

  /// Returns why nothing was found, if there were no candidates.
  package static func absence(of image: LoadedImage) -> String? {
    guard image.symbols?.verdict == .missing else { return nil }
    return image.hasBuildID
      ? "absent: no debug file has its id"
      : "absent: the report names no build id, and no debug file has this name"
  }

  /// `found by name, not verified: tern.debug, build 4c4c446b-…`
  package static func words(forMatchByName symbols: SymbolStatus) -> String {
    let build = symbols.assumedID.map { "build \($0)" }
    return "found by name, not verified: "
      + [symbols.file?.printable, build].compactMap(\.self).joined(separator: ", ")
  }

  /// `wrong id, 4c4c446b-…`, `damaged: section header: …`.
  package static func words(for candidate: SymbolCandidate) -> String {
    let what =
      switch candidate.verdict {
      case .wrongID: "wrong id, \(candidate.debugID?.description ?? "none")"
      case .wrongArchitecture:
        "wrong architecture, \(candidate.architecture?.description.printable ?? "unknown")"
      case .stripped: "stripped: neither debug information nor symbols"
      case .damaged: "damaged"
      case .noLineTable: "no line table: functions without files and lines"
      case .noUnwindRules: "no unwind rules: callers were guessed; the program itself has the rules"
      case .ambiguous: "the report names no build id, and several builds have this name"
      case .wrongCode: "another build: the report names no build id, and the code does not fit"
      }
    guard let detail = candidate.detail?.printable else { return what }
    return candidate.verdict == .damaged ? "\(what): \(detail)" : "\(what) (\(detail))"
  }

  private func bullet(_ text: String) -> [String] {
    text.lines(of: width - 4).enumerated().map { ($0 == 0 ? "  - " : "    ") + $1 }
  }

  package init(width: Int = 80) {
    self.width = width
  }
}
