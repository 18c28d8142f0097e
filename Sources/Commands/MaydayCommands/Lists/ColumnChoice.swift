import Rendering
import Spelling
import Arguments

/// The columns that the user chose.
enum ColumnChoice {
  /// Former names of columns.
  private static let former = ["installs": "users"]

  /// The columns with these names, separated by commas.
  ///
  /// - Parameter all: The columns that the list can have.
  /// - Throws: ``UsageError`` that names the unknown column and lists the known ones.
  static func columns<Item>(
    _ text: String, of all: [ListColumn<Item>]
  ) throws(UsageError) -> [ListColumn<Item>] {
    var chosen: [ListColumn<Item>] = []
    for word in text.split(separator: ",", omittingEmptySubsequences: false) {
      // JSON has underscores in its names.
      let written = String(word.drop { $0 == " " }.lowercased().map { $0 == "_" ? "-" : $0 })
      let name = former[written] ?? written
      guard let column = all.first(where: { $0.name == name }) else {
        let names = all.map(\.name)
        let near = Suggestion.nearest(to: name, among: names)
        throw UsageError(
          "--columns: unknown column '\(name)'" + (near.map { "; did you mean '\($0)'?" } ?? "")
            + "\n" + NameList.lines("Columns", names))
      }
      if !chosen.contains(where: { $0.name == name }) { chosen.append(column) }
    }
    return chosen
  }
}

/// The valid names, for an error.
enum NameList {
  /// `Columns: id, app, ...` in lines of 80 columns.
  static func lines(_ title: String, _ names: [String]) -> String {
    "\(title): \(names.joined(separator: ", "))".lines(of: 78).enumerated()
      .map { $0.offset == 0 ? $0.element : "  " + $0.element }.joined(separator: "\n")
  }
}
