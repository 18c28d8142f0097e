internal import CrashModel
package import ReportDocument
package import SymbolSources

extension StoredReport {
  /// The maximum number of files of other builds shown for one image.
  private static var mostNamesakes: Int { 4 }

  /// Returns the report with files of the same name as an image without debug file, but not of its id, among
  /// the candidates of that image.
  ///
  /// They are shown to users, and are not part of the result: another build's files do not affect this one's
  /// report.
  package func tellingNamesakes(in sources: [any SymbolSource]) throws -> StoredReport {
    var stored = self
    let used = ImageSummary(of: report).usedIndices
    for index in used {
      let image = report.images[index]
      guard var symbols = image.symbols, [.missing, .stripped].contains(symbols.verdict) else {
        continue
      }
      for source in sources {
        for namesake in try source.namesakes(of: image, limit: Self.mostNamesakes)
        where !symbols.tried.contains(namesake) {
          symbols.tried.append(namesake)
        }
      }
      stored.report.images[index].symbols = symbols
    }
    return stored
  }
}
