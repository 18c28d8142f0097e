internal import Database

/// How far the look through an origin has come, as `regroup.phase` has it; see ``Regrouping``.
enum RegroupPhase: Int, SQLBindable {
  case verifyKeys = 0
  case claim = 1
  case place = 2
  case arrange = 3
}
