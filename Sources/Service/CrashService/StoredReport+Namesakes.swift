internal import CrashModel
package import ReportDocument
package import SymbolSources

extension StoredReport {
  /// The most files of another build that are told of one image.
  private static var mostNamesakes: Int { 4 }

  /// The report with the files that have the name of an image without debug file, but not its id,
  /// among the candidates of that image.
  ///
  /// They are told to people, and are no part of the result: another build's files change nothing in
  /// this one's report.
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
