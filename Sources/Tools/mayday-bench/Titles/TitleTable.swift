import CrashModel
import Grouping
import Pipeline
import SymbolSources
import Symbolication

/// The quality of the titles of a folder's reports, by format.
struct TitleTable {
  private struct Title {
    let format: String
    let app: String
    let text: String
    let quality: TitleQuality
    let file: String
  }

  private let processor: ReportProcessor
  private var titles: [Title] = []
  private var failures: [String] = []

  /// - Parameter symbols: Folders of debug files; without any, titles have the names in the reports.
  init(symbols: [String]) {
    let scan = DebugFileScanner().scan(symbols)
    let index = DebugFileIndex(scan.files, mappings: scan.mappings)
    let symbolicator = Symbolicator(sources: [index], pool: SymbolCachePool())
    processor = ReportProcessor(
      symbolicator: symbolicator, signer: Signer(rules: .standard), scrubber: nil)
  }

  mutating func add(_ report: CrashReport, file: String) {
    do {
      let processed = try processor.process(report)
      guard let signature = processed.report.signature else { return }
      titles.append(
        Title(
          format: report.format.description, app: processed.app, text: signature.text,
          quality: TitleQuality(of: signature, reason: processed.report.reason), file: file))
    } catch {
      failures.append("\(file): \(error)")
    }
  }

  /// Prints a line for each report: quality, format, app, title and file, separated by tabs.
  func list() {
    for title in titles {
      Swift.print(
        title.quality.rawValue, title.format, title.app, title.text, title.file, separator: "\t")
    }
    for failure in failures { Swift.print("failed", failure, separator: "\t") }
  }

  /// Prints the number of reports of each format, and what their titles name.
  func print() {
    guard !titles.isEmpty else { return }
    var lines = [["titles"] + ["reports"] + TitleQuality.allCases.map(\.rawValue)]
    func line(_ name: String, _ titles: [Title]) -> [String] {
      [name, String(titles.count)]
        + TitleQuality.allCases.map { quality in
          String(titles.count { $0.quality == quality })
        }
    }
    for (format, titles) in Dictionary(grouping: titles, by: \.format).sorted(by: {
      $0.key < $1.key
    }) {
      lines.append(line(format, titles))
    }
    lines.append(line("all", titles))
    Swift.print("")
    TextTable.print(lines)
    for failure in failures { Swift.print("no title: \(failure)") }
  }
}
