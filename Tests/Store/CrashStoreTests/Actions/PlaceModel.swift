/// A reference model of which reports share a group, which the store is compared with.
struct PlaceModel {
  /// An origin: the group that it belongs to, and the rules that lead on from it.
  private struct Shelf {
    let home: String
    var rules: [(version: Int, shelf: Int)] = []
    let isRule: Bool
  }

  private var shelves: [Shelf] = []
  private var keys: [String: (shelf: Int, isMain: Bool)] = [:]
  private var above: [String: String] = [:]
  private(set) var reports: [(name: String, key: String, version: Int, shelf: Int)] = []

  private func root(_ group: String) -> String {
    var group = group
    while let next = above[group] { group = next }
    return group
  }

  func group(ofShelf shelf: Int) -> String { root(shelves[shelf].home) }

  /// The names of the reports in each group.
  var groups: [String: [String]] {
    Dictionary(grouping: reports) { group(ofShelf: $0.shelf) }.mapValues { $0.map(\.name) }
  }

  func keys(of group: String) -> Set<String> {
    Set(
      reports.filter { self.group(ofShelf: $0.shelf) == group && !shelves[$0.shelf].isRule }
        .map(\.key))
  }

  /// - Parameter new: The name of the group that this report opens.
  mutating func file(
    _ name: String, key: String, alternatives: [String], version: Int, new: String
  ) {
    var shelf = keys[key]?.shelf
    for key in alternatives where shelf == nil {
      shelf = keys[key].flatMap { $0.isMain ? $0.shelf : nil }
    }
    if shelf == nil {
      shelves.append(Shelf(home: new, isRule: false))
      shelf = shelves.count - 1
    }
    var place = shelf ?? 0
    keys[key] = (keys[key]?.shelf ?? place, true)
    for key in alternatives where keys[key] == nil { keys[key] = (place, false) }
    while let rule = shelves[place].rules.first(where: { version >= $0.version }) {
      place = rule.shelf
    }
    reports.append((name, key, version, place))
  }

  mutating func merge(_ part: String, into whole: String) { above[part] = whole }

  mutating func unmerge(_ part: String) { above[part] = nil }

  mutating func split(_ group: String, key: String, new: String) {
    guard let old = keys[key]?.shelf else { return }
    shelves.append(Shelf(home: new, isRule: false))
    keys[key] = (shelves.count - 1, keys[key]?.isMain ?? false)
    for index in reports.indices where reports[index].shelf == old && reports[index].key == key {
      reports[index].shelf = shelves.count - 1
    }
  }

  mutating func split(_ group: String, version: Int, new: String) {
    for shelf in shelves.indices where self.group(ofShelf: shelf) == group {
      shelves.append(Shelf(home: new, isRule: true))
      shelves[shelf].rules.append((version, shelves.count - 1))
      for index in reports.indices
      where reports[index].shelf == shelf && reports[index].version >= version {
        reports[index].shelf = shelves.count - 1
      }
    }
  }
}
