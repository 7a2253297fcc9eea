// Before the first paint: the theme that was last chosen in this browser. The page keeps it in step with the person's own.
try {
  const theme = localStorage.getItem('gatehouse.theme');
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;
} catch {
  // Storage is forbidden: the system's preference decides.
}
