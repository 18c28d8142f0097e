import Arguments
import CrashService

extension TimeLength: ArgumentValue {
  package static let valueName = "TIME"
  package static let example: String? = "30d, 12h or 45m"
}
