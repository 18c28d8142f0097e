internal import CrashService
package import CrashModel

extension SourceExcerpt {
  /// The lines with their numbers, the one that is meant marked, as llvm-symbolizer prints them:
  ///
  ///     11  : int main() {
  ///     12 >:   return twice(3);
  ///
  /// - Parameter clean: Applied to each line.
  package func numbered(marking line: Int, _ clean: (String) -> String) -> String {
    let width = String(first + lines.count - 1).count
    var text = ""
    for (index, content) in lines.enumerated() {
      let number = String(first + index)
      text += String(repeating: " ", count: width - number.count) + number
      text += (first + index == line ? " >: " : "  : ") + clean(content) + "\n"
    }
    return text
  }
}
