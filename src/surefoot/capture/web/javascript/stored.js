// Reads what a window keeps for its session: its origin, and each name with its value.
() => [location.origin, location.origin === "null" ? [] : Object.entries(sessionStorage)]
